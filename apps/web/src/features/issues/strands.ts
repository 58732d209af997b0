import { issuePriorities } from "@roster/contract";
import type { InputOf } from "../../api/operations.ts";

/** Which issues are asked for. */
export type IssueFilters = Omit<NonNullable<InputOf<"issues.list">["query"]>, "limit" | "cursor">;

/** In which orders issues are shown. */
export const sorts = ["newest", "priority", "status"] as const;
/** In which order issues are shown. */
export type Sort = (typeof sorts)[number];

const statusesByCare = ["in_progress", "in_review", "blocked", "todo", "backlog", "done", "cancelled"] as const;

/**
 * Lists of the service which, read one after the other, are the issues in this order. The service lists the newest
 * first, so each list is of one priority or one status, and however many issues there are, none is read but what is
 * shown. Pure.
 */
export function strandsOf(filters: IssueFilters, sort: Sort): readonly IssueFilters[] {
  if (sort === "priority" && filters.priority === undefined) {
    return issuePriorities.map((priority) => ({ ...filters, priority }));
  }
  if (sort !== "status") return [filters];
  const wanted = filters.status?.split(",");
  return statusesByCare
    .filter((status) => wanted === undefined || wanted.includes(status))
    .map((status) => ({ ...filters, status }));
}
