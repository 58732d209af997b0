import type { Issue } from "@roster/client";
import { useRef, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { toast } from "../../design/toast.tsx";
import { wordsOf } from "../../design/words.ts";
import { byPriority, type Column } from "./columns.ts";
import { onceEach } from "./once-each.ts";

/** What dragging a card, or moving it with the keys, changes. */
export type Move = Partial<Pick<Issue, "status" | "priority">>;

interface Refused {
  readonly issue: Issue;
  readonly error: unknown;
}

/** Moves of cards, which show at once and go back where the service refuses them. */
export interface Moves {
  readonly move: (issue: Issue, to: Move) => void;
  /** The columns as they are once every move has succeeded. */
  readonly after: (columns: readonly Column[]) => readonly Column[];
  readonly refused: Refused | null;
  readonly isMoving: (issue: Issue) => boolean;
}

/** One after the other, in the order in which they were made. */
export function useMoves(): Moves {
  const [pending, setPending] = useState<readonly { readonly issue: Issue; readonly to: Move }[]>([]);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [settled, setSettled] = useState<readonly { readonly issue: Issue; readonly at: number }[]>([]);
  const { mutateAsync } = useCommand("issues.change", (issue) => {
    const others = (before: typeof settled) => before.filter((other) => other.issue.id !== issue.id);
    setSettled((before) => [...others(before), { issue, at: Date.now() }]);
  });
  const last = useRef<Promise<void>>(Promise.resolve());
  const move = (issue: Issue, to: Move): void => {
    const made = { issue, to };
    setPending((before) => [...before, made]);
    setRefused(null);
    last.current = last.current.then(async () => {
      try {
        await mutateAsync({ params: { issueId: issue.id }, body: to });
        toast(`${issue.identifier}: ${wordsOf(to.status ?? to.priority ?? "")}`);
      } catch (error) {
        setRefused({ issue, error });
      }
      setPending((before) => before.filter((other) => other !== made));
    });
  };
  const after = (columns: readonly Column[]): readonly Column[] => {
    // Columns are read one by one: until all are, what moved stands as the service answered it, and is never nowhere.
    const readAt = Math.min(...columns.map((column) => column.readAt));
    const answered = settled.filter(({ at }) => at >= readAt).map(({ issue }) => issue);
    const known = [...columns.flatMap(({ issues }) => issues), ...answered, ...pending.map(({ issue }) => issue)];
    const moved = onceEach(known).map((issue) => afterMoves(issue, pending));
    return columns.map((column) => ({
      ...column,
      issues: byPriority(moved.filter(({ status }) => status === column.status)),
    }));
  };
  return { move, after, refused, isMoving: ({ id }) => pending.some(({ issue }) => issue.id === id) };
}

/** An issue with what is being made of it. Pure. */
function afterMoves(issue: Issue, moves: readonly { readonly issue: Issue; readonly to: Move }[]): Issue {
  return Object.assign({}, issue, ...moves.filter((move) => move.issue.id === issue.id).map(({ to }) => to));
}
