import type { Issue } from "@roster/client";
import { skipToken, useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { client } from "../../api/client.ts";
import { useCompany } from "../../app/company.ts";
import { onceEach } from "./once-each.ts";
import { type IssueFilters, type Sort, strandsOf } from "./strands.ts";

const pageSize = 200;
/** So many rows before its end is reached, more of a list is asked for. */
const ahead = 100;
const keptMs = 1_800_000;

/** A stretch of a list, by where it begins and with which issue it ends: whatever comes or goes, none is in two. */
interface Span {
  readonly filters: IssueFilters;
  readonly cursor: string | null;
  /** Id of its last issue; null: to the end of the list. */
  readonly until: string | null;
  /** How many issues were in it when it was read first. */
  readonly count: number;
}

/** How far a list was read. */
interface Reach {
  readonly spans: readonly Span[];
  /** What comes next: of which strand, from where; null at the end. */
  readonly next: { readonly strand: number; readonly cursor: string | null } | null;
}

const nothing: Reach = { spans: [], next: { strand: 0, cursor: null } };

/** Issues as far as they were read; null stands for one that is being read again. */
export interface FoundIssues {
  readonly rows: readonly (Issue | null)[];
  readonly isComplete: boolean;
  /** True until something was answered. */
  readonly isPending: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  /** Says which rows are in sight: only those are kept fresh, and in time more are read. */
  readonly look: (first: number, last: number) => void;
}

/**
 * Any number of issues in an order, read as far as somebody looks. What changes in the company asks anew for what is in
 * sight and for nothing else, so that ten thousand issues cost no more than a screen of them.
 */
export function useReach(filters: IssueFilters, sort: Sort): FoundIssues {
  const { id: companyId } = useCompany();
  const queries = useQueryClient();
  const [sight, setSight] = useState({ first: 0, last: 0 });
  const { reach, more } = useExtension(companyId, strandsOf(filters, sort), ["reach", companyId, filters, sort]);
  const lists = reach.spans.map((span) => queries.getQueryData<readonly Issue[]>(keyOf(companyId, span)));
  const counts = reach.spans.map((span, at) => lists[at]?.length ?? span.count);
  const inSight = spansIn(counts, sight);
  const asked = useQueries({
    queries: reach.spans.slice(inSight.from, inSight.to).map((span) => ({
      queryKey: keyOf(companyId, span),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => readSpan(companyId, span, signal),
      gcTime: keptMs,
    })),
  });
  const read = reach.spans.flatMap<Issue | null>((span, at) => {
    const fresh = asked[at - inSight.from]?.data ?? lists[at];
    return fresh === undefined ? Array<null>(span.count).fill(null) : [...fresh];
  });
  // What moved from one strand to another may be in both for a moment.
  const rows = sort === "newest" ? read : onceEach(read);
  const { isPending: isExtending, error: failure, mutate, reset } = more;
  const wantsMore = reach.next !== null && !isExtending && failure === null && sight.last + ahead >= rows.length;
  useEffect(() => {
    if (wantsMore && reach.next !== null) mutate(reach.next);
  }, [wantsMore, reach.next, mutate]);
  return {
    rows,
    isComplete: reach.next === null,
    isPending: rows.length === 0 && reach.next !== null,
    error: failure ?? asked.find(({ error }) => error !== null)?.error ?? null,
    retry: reset,
    look: (first, last) => {
      if (first !== sight.first || last !== sight.last) setSight({ first, last });
    },
  };
}

function useExtension(companyId: string, strands: readonly IssueFilters[], key: readonly unknown[]) {
  const queries = useQueryClient();
  const { data: reach = nothing } = useQuery<Reach>({
    queryKey: key,
    queryFn: skipToken,
    initialData: nothing,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
  });
  const more = useMutation({
    mutationFn: async ({ strand, cursor }: NonNullable<Reach["next"]>) => {
      const filters = strands[strand] ?? {};
      const { items, next } = await client.issues.list({
        params: { companyId },
        query: { ...filters, limit: pageSize, ...(cursor !== null && { cursor }) },
      });
      const until = next === null ? null : (items.at(-1)?.id ?? null);
      const span: Span = { filters, cursor, until, count: items.length };
      queries.setQueryData<readonly Issue[]>(keyOf(companyId, span), items);
      const following = strand + 1 < strands.length ? { strand: strand + 1, cursor: null } : null;
      queries.setQueryData<Reach>(key, (before = nothing) =>
        before.next?.strand === strand && before.next.cursor === cursor
          ? { spans: [...before.spans, span], next: next === null ? following : { strand, cursor: next } }
          : before,
      );
    },
  });
  return { reach, more };
}

const keyOf = (companyId: string, { filters, cursor, until }: Span): readonly unknown[] => [
  "issues",
  "list",
  { companyId, filters, cursor, until },
];

async function readSpan(companyId: string, span: Span, signal: AbortSignal): Promise<readonly Issue[]> {
  const found: Issue[] = [];
  for (let cursor = span.cursor; ; ) {
    const query = { ...span.filters, limit: pageSize, ...(cursor !== null && { cursor }) };
    const { items, next } = await client.issues.list({ params: { companyId }, query, signal });
    // Ids rise with time: what is older than the last one belongs to the stretch that follows.
    found.push(...items.filter(({ id }) => span.until === null || id >= span.until));
    const last = items.at(-1)?.id ?? "";
    if (next === null || (span.until !== null && last <= span.until)) return found;
    cursor = next;
  }
}

/** Which stretches have a row in sight: from this one to before that one. Pure. */
function spansIn(
  counts: readonly number[],
  { first, last }: { readonly first: number; readonly last: number },
): { readonly from: number; readonly to: number } {
  let start = 0;
  let from = counts.length;
  let to = 0;
  for (const [at, count] of counts.entries()) {
    if (start <= last && start + count >= first) {
      from = Math.min(from, at);
      to = at + 1;
    }
    start += count;
  }
  return { from: Math.min(from, to), to };
}
