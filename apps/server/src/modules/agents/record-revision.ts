import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { actorOf } from "../../platform/scope.ts";
import { contentDifferences, contentOf, hashOfContent } from "./content.ts";
import { insertRevision, type RevisionRow } from "./revision-store.ts";
import type { AgentValues } from "./store.ts";
import type { Content } from "./table.ts";

/** Stores the state an agent is in now as its revision `revisionNumber`. */
export async function recordRevision(
  change: Change,
  agent: AgentValues,
  before: Content,
  source: RevisionRow["source"],
): Promise<RevisionRow> {
  const row = revisionOf(change, agent, before, source);
  await insertRevision(change, row);
  return row;
}

/** The state an agent is in now as its revision `revisionNumber`. `before` is null for the first. */
export function revisionOf(
  change: Change,
  agent: AgentValues,
  before: Content | null,
  source: RevisionRow["source"],
): RevisionRow {
  const content = contentOf(agent);
  const { actorKind, actorId } = actorOf(change.caller);
  return {
    companyId: agent.companyId,
    id: newId(),
    agentId: agent.id,
    number: agent.revisionNumber,
    content,
    contentHash: hashOfContent(content),
    source,
    changed: before === null ? [] : contentDifferences(contentOf(before), content).map(({ path }) => path),
    actorKind,
    actorId,
    createdAt: change.now,
  };
}
