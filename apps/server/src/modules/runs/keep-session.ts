import type { CauseCode, JsonObject } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { deleteSession, upsertSession } from "./session-store.ts";
import type { RunValues } from "./store.ts";

/** Of a run that ends: what its last session event said, what it went on from, and why it ended. */
export interface SessionCourse {
  readonly told: JsonObject | null;
  readonly resumed: JsonObject | null;
  readonly code: CauseCode;
}

/**
 * Keeps the session of a run for the next one on the same issue, or forgets the one it was to go on from: a session that
 * a started program has not confirmed is lost, and one with which it failed is not trusted again. It is a cache: where it
 * is missing, an agent begins anew.
 */
export async function keepSession(
  change: Change,
  { agentId, issueId, runnerId, revisionId, startedAt }: RunValues,
  { told, resumed, code }: SessionCourse,
): Promise<void> {
  if (issueId === null || runnerId === null || revisionId === null) return;
  const place = { agentId, issueId };
  const isTrusted = resumed === null || code !== "agent_error";
  if (told !== null && isTrusted) await upsertSession(change, place, { runnerId, revisionId, data: told });
  else if (resumed !== null && startedAt !== null) await deleteSession(change, place);
}
