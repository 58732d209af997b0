import type { Client } from "@roster/client";
import type { ActivityEntry, EntityType } from "@roster/contract";

/**
 * What an entry of the log may have changed: for each kind of entity that it is about, the resources of the API in which
 * that can be seen. Total by its type: a new kind of entity does not compile until it is here.
 */
const seenIn: Record<EntityType, readonly (keyof Client)[]> = {
  company: ["companies", "agents", "runs", "attention"],
  user: ["members", "auth"],
  member: ["members", "companies"],
  invitation: ["invitations"],
  agent: ["agents", "configurations", "runs", "issues", "approvals"],
  agent_key: ["agentKeys"],
  approval: ["approvals", "agents", "configurations", "issues"],
  attention: ["attention"],
  comment: ["issues", "approvals"],
  cost_event: ["costs", "agents", "companies", "runs"],
  instance: ["instance", "fleet", "runs"],
  issue: ["issues", "runs"],
  master_key: [],
  run: ["runs", "agents", "issues"],
  runner: ["fleet", "instance", "runs"],
  secret: ["secrets"],
  skill: ["skills", "configurations"],
};

/** The resources to be asked anew after these entries, each once; the log itself always. Pure. */
export function staleAfter(entries: readonly Pick<ActivityEntry, "entityType">[]): ReadonlySet<string> {
  const resources = entries.flatMap(({ entityType }) => seenIn[entityType as EntityType] ?? []);
  return new Set(["activity", ...resources]);
}
