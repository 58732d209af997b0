import type { Issue } from "@roster/client";
import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { memo, type ReactNode, useEffect, useRef } from "react";
import { Button } from "../../design/button.tsx";
import { classes } from "../../design/classes.ts";
import { useKeys } from "../../design/keys.ts";
import { Refusal } from "../../design/refusal.tsx";
import { type Active, useActive } from "./active.ts";
import { IssueLine, useAssigneeOf } from "./issue-row.tsx";
import type { FoundIssues } from "./reach.ts";
import type { Selection } from "./selection.ts";

const rowHeight = 58;

interface ListParts {
  readonly found: FoundIssues;
  readonly selection: Selection;
}

/** Any number of issues, of which only those in sight are drawn; the next ones are asked for in time. */
export function IssueList({ found, selection }: ListParts): ReactNode {
  const { rows, look } = found;
  const list = useRef<HTMLUListElement>(null);
  const active = useActive(list);
  const assigneeOf = useAssigneeOf();
  const activeAt = rows.findIndex((issue) => issue !== null && issue.id === active.id);
  const drawer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
    scrollPaddingStart: 72,
    scrollPaddingEnd: 96,
    getItemKey: (index) => rows[index]?.id ?? index,
    // The one that keys act on stays drawn wherever one scrolls: the focus is on it.
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range);
      return activeAt === -1 || drawn.includes(activeAt) ? drawn : [...drawn, activeAt].sort((a, b) => a - b);
    },
  });
  const { range } = drawer;
  useEffect(() => look(range?.startIndex ?? 0, range?.endIndex ?? 0), [look, range?.startIndex, range?.endIndex]);
  useListKeys({ found, active, selection, show: (index) => drawer.scrollToIndex(index) });
  return (
    <>
      <ul
        ref={list}
        aria-label="Issues"
        style={{ height: drawer.getTotalSize() }}
        className="relative rounded-lg border border-line bg-surface"
      >
        {drawer.getVirtualItems().map((place) => (
          <Row
            key={place.key}
            place={place}
            top={place.start - drawer.options.scrollMargin}
            issue={rows[place.index] ?? null}
            count={found.isComplete ? rows.length : -1}
            isActive={place.index === activeAt}
            onFocus={active.note}
          >
            {(issue) => (
              <SelectableLine
                issue={issue}
                assignee={assigneeOf(issue)}
                isSelected={selection.isOffered ? selection.issues.has(issue.id) : null}
                onToggle={selection.toggle}
              />
            )}
          </Row>
        ))}
      </ul>
      <Failure found={found} />
    </>
  );
}

function Failure({ found: { error, retry } }: { readonly found: FoundIssues }): ReactNode {
  if (error === null) return null;
  return (
    <Refusal error={error}>
      <Button className="mt-1 self-start" onClick={retry}>
        Try again
      </Button>
    </Refusal>
  );
}

interface RowParts {
  readonly place: VirtualItem;
  readonly top: number;
  /** Null while it is read again. */
  readonly issue: Issue | null;
  /** How many there are in all; -1 where nobody knows. */
  readonly count: number;
  readonly isActive: boolean;
  readonly onFocus: (id: string) => void;
  readonly children: (issue: Issue) => ReactNode;
}

function Row({ place, top, issue, count, isActive, onFocus, children }: RowParts): ReactNode {
  return (
    <li
      data-issue={issue?.id}
      aria-posinset={place.index + 1}
      aria-setsize={count}
      style={{ height: place.size, transform: `translateY(${top}px)` }}
      className={classes(
        "absolute inset-x-0 top-0 overflow-hidden border-line border-b first:rounded-t-lg last:rounded-b-lg last:border-b-0",
        isActive && "bg-hover",
      )}
      onFocus={() => issue !== null && onFocus(issue.id)}
    >
      {issue !== null && children(issue)}
    </li>
  );
}

interface LineParts {
  readonly issue: Issue;
  readonly assignee: string;
  /** Null where nothing can be selected. */
  readonly isSelected: boolean | null;
  readonly onToggle: (issue: Issue) => void;
}

/** Drawn anew only when something of it changes: keys and scrolling redraw none of the others. */
const SelectableLine = memo(function SelectableLine({ issue, assignee, isSelected, onToggle }: LineParts) {
  return (
    <IssueLine
      issue={issue}
      assignee={assignee}
      before={
        isSelected !== null && (
          <input
            type="checkbox"
            aria-label={`Select ${issue.identifier}`}
            checked={isSelected}
            onChange={() => onToggle(issue)}
            className="relative z-10 size-4 shrink-0 cursor-pointer accent-(--color-accent)"
          />
        )
      }
    />
  );
});

interface KeyParts {
  readonly found: FoundIssues;
  readonly active: Active;
  readonly selection: Selection;
  readonly show: (index: number) => void;
}

/** J and K go through the list, X selects; with Shift, what one goes to is selected too. */
function useListKeys({ found: { rows, isComplete }, active, selection, show }: KeyParts): void {
  const last = useRef(-1);
  // Steps beyond what was read: they are made as soon as there is where to go.
  const owed = useRef(0);
  const at = (): number => {
    const found = rows.findIndex((issue) => issue !== null && issue.id === active.now());
    if (found !== -1) last.current = found;
    return last.current;
  };
  const step = (way: number, isSelecting = false): void => {
    const wanted = at() + owed.current + way;
    const next = Math.min(rows.length - 1, Math.max(0, wanted));
    const issue = rows[next] ?? null;
    owed.current = isComplete ? 0 : Math.max(0, wanted - next);
    show(next);
    if (issue === null) return;
    active.go(issue.id);
    if (isSelecting && !selection.issues.has(issue.id)) selection.toggle(issue);
  };
  const toggle = (): void => {
    const issue = rows[at()] ?? null;
    if (issue !== null) selection.toggle(issue);
  };
  useEffect(() => {
    if (owed.current > 0 && rows.length - 1 > last.current) step(0);
  });
  const down = (): void => step(1);
  const up = (): void => step(-1);
  useKeys({ j: down, ArrowDown: down, k: up, ArrowUp: up, J: () => step(1, true), K: () => step(-1, true), x: toggle });
}
