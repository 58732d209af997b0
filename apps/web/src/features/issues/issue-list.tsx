import type { Issue } from "@roster/client";
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useCompany } from "../../app/company.ts";
import { MoreButton } from "../../design/more-button.tsx";
import { IssueLine } from "./issue-row.tsx";

const rowHeight = 62;

interface ListParts {
  readonly issues: readonly Issue[];
  readonly query: UseInfiniteQueryResult<unknown>;
}

/** Any number of issues, of which only those in sight are drawn; the next ones are asked for in time. J and K go through. */
export function IssueList({ issues, query }: ListParts): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const rows = useWindowVirtualizer({
    count: issues.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => issues[index]?.id ?? index,
  });
  const drawn = rows.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (last >= issues.length - 20 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [last, issues.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  useListKeys(issues.length > 0);
  return (
    <>
      <ul
        ref={list}
        aria-label="Issues"
        style={{ height: rows.getTotalSize() }}
        className="relative overflow-hidden rounded-lg border border-line bg-surface"
        onKeyDown={step}
      >
        {drawn.map(({ key, index, start, size }) => {
          const issue = issues[index];
          if (issue === undefined) return null;
          return (
            <li
              key={key}
              aria-posinset={index + 1}
              aria-setsize={hasNextPage ? -1 : issues.length}
              style={{ height: size, transform: `translateY(${start - rows.options.scrollMargin}px)` }}
              className="absolute inset-x-0 top-0 border-line border-b last:border-b-0"
            >
              <IssueLine issue={issue} />
            </li>
          );
        })}
      </ul>
      {query.error !== null && <MoreButton query={query} />}
    </>
  );
}

/** From one row to the next, as the keys of lists do. */
function step(event: KeyboardEvent<HTMLUListElement>): void {
  const way = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (way === undefined) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>("a")];
  const next = links[links.indexOf(document.activeElement as HTMLAnchorElement) + way];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** J begins at the first issue, C makes a new one, wherever on the page one is but for where one writes. */
function useListKeys(hasIssues: boolean): void {
  const navigate = useNavigate({ from: "/$prefix/issues" });
  const { issuePrefix } = useCompany();
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target !== document.body)
        return;
      if (event.key === "c") void navigate({ search: (search) => ({ ...search, new: "true" }) });
      if (event.key === "j" && hasIssues) {
        document.querySelector<HTMLAnchorElement>(`main ul a[href^="/${issuePrefix}/issues/"]`)?.focus();
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [navigate, hasIssues, issuePrefix]);
}
