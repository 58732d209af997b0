import { type ActivityEntry, sentenceOf } from "@roster/contract";
import type { EntryRow } from "./store.ts";

/** A stored entry as the API shows it. */
export function presentEntry(row: EntryRow): ActivityEntry {
  const actorName = nameOf(row);
  return {
    seq: row.seq,
    id: row.id,
    companyId: row.companyId,
    action: row.action,
    entityType: row.entityType,
    entityId: row.entityId,
    actor: {
      kind: row.actorKind,
      id: row.actorId,
      name: actorName,
      ...(row.runId !== null && { runId: row.runId }),
    },
    cause: { seq: row.causeSeq, rootSeq: row.rootSeq ?? row.seq, hops: row.hops },
    details: row.details as ActivityEntry["details"],
    sentence: `${actorName} ${sentenceOf(row.action, row.details)}`,
    createdAt: row.createdAt.toISOString(),
  };
}

function nameOf({ actorKind, agentName, userName }: EntryRow): string {
  if (actorKind === "agent") return agentName ?? "An agent";
  return actorKind === "user" ? (userName ?? "The board") : "Roster";
}
