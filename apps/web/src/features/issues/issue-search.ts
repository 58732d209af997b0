import type { Issue } from "@roster/client";
import { closedIssueStatuses, issuePriorities, openIssueStatuses } from "@roster/contract";
import type { IssueFilters, Sort } from "./strands.ts";
import { sorts } from "./strands.ts";

/** What the address of the issues says. */
export interface IssueSearch {
  readonly status?: string;
  readonly priority?: string;
  /** The name of an agent in addresses; of a person, the id behind `@`. */
  readonly assignee?: string;
  readonly q?: string;
  readonly sort?: string;
  readonly view?: string;
  readonly new?: string;
}

/** Words of the address for several statuses. */
const statusGroups = {
  open: openIssueStatuses.join(","),
  closed: closedIssueStatuses.join(","),
} as const;

/** What the address asks for; `null` where it names somebody who is not there, so that nothing fits. Pure. */
export function filtersOf(
  { status, priority, assignee, q }: IssueSearch,
  agents: Iterable<{ readonly id: string; readonly urlKey: string }>,
): IssueFilters | null {
  const agent = [...agents].find(({ urlKey }) => urlKey === assignee);
  const isNobody = assignee !== undefined && agent === undefined && !assignee.startsWith("@");
  if (isNobody) return null;
  return {
    ...(status !== undefined && { status: statusGroups[status as keyof typeof statusGroups] ?? status }),
    ...(issuePriorities.some((known) => known === priority) && { priority: priority as Issue["priority"] }),
    ...(agent !== undefined && { assigneeAgentId: agent.id }),
    ...(assignee?.startsWith("@") && { assigneeUserId: assignee.slice(1) }),
    ...(q !== undefined && q.trim() !== "" && { q }),
  };
}

/** The order that the address asks for; the newest first where it names none. Pure. */
export const sortOf = ({ sort }: IssueSearch): Sort => sorts.find((known) => known === sort) ?? "newest";
