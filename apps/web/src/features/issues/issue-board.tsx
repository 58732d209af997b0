import type { Issue } from "@roster/client";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { StateBadge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { classes } from "../../design/classes.ts";
import { Refusal } from "../../design/refusal.tsx";
import { wordsOf } from "../../design/words.ts";
import { useActive } from "./active.ts";
import { useBoardKeys } from "./board-keys.ts";
import { type Column, useColumns } from "./columns.ts";
import { IssueCard } from "./issue-card.tsx";
import { type Moves, useMoves } from "./moves.ts";
import type { Selection } from "./selection.ts";
import type { IssueFilters } from "./strands.ts";

interface BoardParts {
  readonly filters: IssueFilters;
  readonly selection: Selection;
}

/** Issues in columns by status, most urgent first. Cards are dragged, or moved with Shift and the arrow keys. */
export function IssueBoard({ filters, selection }: BoardParts): ReactNode {
  const { columns: present, error } = useColumns(filters);
  const moves = useMoves();
  const board = useRef<HTMLDivElement>(null);
  const active = useActive(board);
  const columns = moves.after(present);
  useBoardKeys({ columns, active, moves, selection });
  return (
    <>
      <Refusal error={error} />
      {moves.refused !== null && (
        <div className="flex flex-col gap-1.5">
          <p className="font-medium text-bad text-sm">{moves.refused.issue.identifier} stays where it was.</p>
          <Refusal error={moves.refused.error} />
        </div>
      )}
      <div
        ref={board}
        className="-mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-2 md:mr-[calc(min(0px,(64rem-100vw+15rem)/2)-1rem)] md:ml-0 md:snap-none md:px-0"
      >
        {columns.map((column) => (
          <BoardColumn
            key={column.status}
            column={column}
            moves={moves}
            selection={selection}
            onFocus={active.note}
            find={(id) => columns.flatMap(({ issues }) => issues).find((issue) => issue.id === id)}
          />
        ))}
      </div>
    </>
  );
}

interface ColumnParts {
  readonly column: Column;
  readonly moves: Moves;
  readonly selection: Selection;
  readonly onFocus: (id: string) => void;
  readonly find: (id: string) => Issue | undefined;
}

function BoardColumn({ column, moves, selection, onFocus, find }: ColumnParts): ReactNode {
  const { status, issues, hasMore, isPending } = column;
  const drop = useDrop(status, moves, find);
  return (
    <section
      aria-label={wordsOf(status)}
      {...drop.handlers}
      className={classes(
        "flex w-66 shrink-0 snap-start flex-col rounded-lg border bg-sunken",
        drop.isOver ? "border-accent" : "border-transparent",
      )}
    >
      <h2 className="flex items-center gap-2 px-3 py-2.5">
        <StateBadge state={status} />
        <span className="text-ink-faint text-xs tabular-nums">
          {issues.length}
          {hasMore && "+"}
        </span>
      </h2>
      <ul
        aria-label={`${wordsOf(status)} issues`}
        className="flex max-h-[calc(100dvh-15rem)] min-h-24 flex-col gap-2 overflow-y-auto px-2 pb-2"
      >
        {issues.map((issue) => (
          <IssueCard
            key={issue.id}
            issue={issue}
            isMoving={moves.isMoving(issue)}
            selection={selection}
            onFocus={() => onFocus(issue.id)}
          />
        ))}
        {issues.length === 0 && (
          <li className="px-1 py-3 text-center text-ink-faint text-xs">{isPending ? "Loading…" : "None"}</li>
        )}
        {hasMore && (
          <li className="flex justify-center">
            <Button look="quiet" onClick={column.showMore}>
              Show more
            </Button>
          </li>
        )}
      </ul>
    </section>
  );
}

/** What is dropped on a column gets its status; on a card of its own column, that card's priority. */
function useDrop(status: Issue["status"], moves: Moves, find: ColumnParts["find"]) {
  const [isOver, setOver] = useState(false);
  const handlers = {
    onDragOver: (event: DragEvent<HTMLElement>): void => {
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
      setOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent<HTMLElement>): void => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop: (event: DragEvent<HTMLElement>): void => {
      event.preventDefault();
      setOver(false);
      const issue = find(event.dataTransfer.getData("text/plain"));
      if (issue === undefined) return;
      if (issue.status !== status) {
        moves.move(issue, { status });
        return;
      }
      const below = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-issue]") : null;
      const priority = find(below?.dataset["issue"] ?? "")?.priority ?? issue.priority;
      if (priority !== issue.priority) moves.move(issue, { priority });
    },
  };
  return { isOver, handlers };
}
