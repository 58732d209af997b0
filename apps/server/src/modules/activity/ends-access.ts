import type { ActivityEntry } from "@roster/contract";
import type { Caller } from "../../platform/scope.ts";

type Told = Pick<ActivityEntry, "entityType" | "entityId" | "details">;

/**
 * True for an entry that may have ended what this caller may read, so that it is looked at again before the caller is
 * told of it. Says so too often rather than too rarely. Pure.
 */
export function mayEndAccess(caller: Caller, { entityType, entityId, details }: Told): boolean {
  if (caller.kind === "board") return entityType === "member";
  if (caller.kind !== "agent") return false;
  // With the company its runs are stopped.
  const isAboutIt = entityType === "company" || entityId === caller.agentId || entityId === caller.runId;
  return isAboutIt || (entityType === "agent_key" && details["agentId"] === caller.agentId);
}
