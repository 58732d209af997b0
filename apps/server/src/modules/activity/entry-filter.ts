import type { ActivityEntry } from "@roster/contract";

/** Which entries are wanted: those that meet every condition there is. Ids are in small letters. */
export interface EntryFilter {
  /** By or about this agent. */
  readonly agentId?: string | undefined;
  /** By this agent or user. */
  readonly actor?: string | undefined;
  readonly entityType?: string | undefined;
  readonly entityId?: string | undefined;
  readonly action?: string | undefined;
}

/** True for an entry that the database would find by this filter. Pure. */
export function meets(entry: ActivityEntry, { agentId, actor, entityType, entityId, action }: EntryFilter): boolean {
  return (
    (agentId === undefined || entry.actor.id === agentId || entry.entityId === agentId) &&
    (actor === undefined || entry.actor.id === actor) &&
    (entityType === undefined || entry.entityType === entityType) &&
    (entityId === undefined || entry.entityId === entityId) &&
    (action === undefined || entry.action === action)
  );
}
