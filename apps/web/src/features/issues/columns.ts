import type { Issue } from "@roster/client";
import { issuePriorities, issueStatuses } from "@roster/contract";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { useCompany } from "../../app/company.ts";
import { type IssueFilters, strandsOf } from "./strands.ts";

type Status = Issue["status"];

const step = 50;
const longestPage = 200;

/** Issues of one status, most urgent first. */
export interface Column {
  readonly status: Status;
  readonly issues: readonly Issue[];
  readonly hasMore: boolean;
  readonly isPending: boolean;
  /** When the answer came, in milliseconds. */
  readonly readAt: number;
  readonly showMore: () => void;
}

/** The columns of the board: one for each status that is asked for. */
export function useColumns(filters: IssueFilters): { readonly columns: readonly Column[]; readonly error: unknown } {
  const { id: companyId } = useCompany();
  const [limits, setLimits] = useState<Partial<Record<Status, number>>>({});
  const wanted = filters.status?.split(",");
  const statuses = issueStatuses.filter((status) => wanted === undefined || wanted.includes(status));
  const asked = useQueries({
    queries: statuses.map((status) => {
      const query = { ...filters, status };
      const limit = limits[status] ?? step;
      return {
        queryKey: ["issues", "column", { companyId, query, limit }],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => readColumn({ companyId, query, limit }, signal),
        placeholderData: keepPreviousData,
      };
    }),
  });
  const columns = statuses.map((status, at): Column => {
    const { data, isPending = true, dataUpdatedAt: readAt = 0 } = asked[at] ?? {};
    const showMore = (): void => setLimits((before) => ({ ...before, [status]: (before[status] ?? step) + step }));
    return { status, issues: data?.issues ?? [], hasMore: data?.hasMore ?? false, isPending, readAt, showMore };
  });
  return { columns, error: asked.find(({ error }) => error !== null)?.error ?? null };
}

interface Which {
  readonly companyId: string;
  readonly query: IssueFilters;
  readonly limit: number;
}

/** The most urgent of a column. One question where all of it fits on a page; else priority after priority. */
async function readColumn({ companyId, query, limit }: Which, signal: AbortSignal) {
  const read = (more: object) => client.issues.list({ params: { companyId }, query: { ...query, ...more }, signal });
  const whole = await read({ limit: Math.min(longestPage, limit) });
  if (whole.next === null) return { issues: byPriority(whole.items), hasMore: false };
  const issues: Issue[] = [];
  for (const strand of strandsOf(query, "priority")) {
    for (let cursor: string | null | undefined; cursor !== null && issues.length < limit; ) {
      const rest = Math.min(longestPage, limit - issues.length);
      const page = await read({ ...strand, limit: rest, ...(cursor !== undefined && { cursor }) });
      issues.push(...page.items);
      cursor = page.next;
    }
  }
  return { issues, hasMore: issues.length >= limit };
}

/** Most urgent first; what is equally urgent stays in its order. Pure. */
export function byPriority(issues: readonly Issue[]): readonly Issue[] {
  return issuePriorities.flatMap((priority) => issues.filter((issue) => issue.priority === priority));
}
