import { issuePriorities } from "@roster/contract";
import { type Keys, useKeys } from "../../design/keys.ts";
import type { Active } from "./active.ts";
import type { Column } from "./columns.ts";
import type { Move, Moves } from "./moves.ts";
import type { Selection } from "./selection.ts";

interface KeyParts {
  readonly columns: readonly Column[];
  readonly active: Active;
  readonly moves: Moves;
  readonly selection: Selection;
}

/** Arrows, or H J K L, go over the board; with Shift the arrows take the card along: to another status or priority. */
export function useBoardKeys({ columns, active, moves, selection }: KeyParts): void {
  const present = active.now();
  const at = columns.findIndex(({ issues }) => issues.some(({ id }) => id === present));
  const rows = columns[at]?.issues ?? [];
  const row = rows.findIndex(({ id }) => id === present);
  const issue = rows[row];
  const down = (way: number) => (): void => {
    const from = issue === undefined ? columns.find(({ issues }) => issues.length > 0)?.issues : rows;
    const next = from?.[issue === undefined ? 0 : row + way];
    if (next !== undefined) active.go(next.id);
  };
  const across = (way: number) => (): void => {
    const beside = way > 0 ? columns.slice(at + 1) : columns.slice(0, Math.max(0, at)).reverse();
    const issues = beside.find((column) => column.issues.length > 0)?.issues ?? [];
    const next = issues[Math.max(0, row)] ?? issues.at(-1);
    if (next !== undefined) active.go(next.id);
  };
  const take = (to: Move): void => {
    if (issue === undefined) return;
    moves.move(issue, to);
    active.go(issue.id);
  };
  const toColumn = (way: number) => (): void => {
    const status = columns[at + way]?.status;
    if (status !== undefined) take({ status });
  };
  const toPriority = (way: number) => (): void => {
    const priority = issuePriorities[issuePriorities.indexOf(issue?.priority ?? "medium") + way];
    if (priority !== undefined) take({ priority });
  };
  const keys: Keys = {
    j: down(1),
    ArrowDown: down(1),
    k: down(-1),
    ArrowUp: down(-1),
    l: across(1),
    ArrowRight: across(1),
    h: across(-1),
    ArrowLeft: across(-1),
    "Shift+ArrowRight": toColumn(1),
    "Shift+ArrowLeft": toColumn(-1),
    "Shift+ArrowDown": toPriority(1),
    "Shift+ArrowUp": toPriority(-1),
    x: () => issue !== undefined && selection.toggle(issue),
  };
  useKeys(keys);
}
