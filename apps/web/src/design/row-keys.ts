import type { RefObject } from "react";
import { type Keys, useKeys } from "./keys.ts";

interface RowKeys {
  /** What has the rows in it. */
  readonly list: RefObject<HTMLElement | null>;
  /** What of a row gets the focus. */
  readonly focus: string;
  /** More keys, which act on the present row. */
  readonly keys?: Readonly<Record<string, (row: HTMLElement) => void>>;
}

/** J and K, or the arrows, go through the rows of a short list. */
export function useRowKeys({ list, focus, keys = {} }: RowKeys): void {
  const rows = (): HTMLElement[] => [...(list.current?.children ?? [])].filter((row) => row instanceof HTMLElement);
  const at = (): number => rows().findIndex((row) => row.contains(document.activeElement));
  const step = (way: number) => (): void => {
    const all = rows();
    all[Math.min(all.length - 1, Math.max(0, at() + way))]?.querySelector<HTMLElement>(focus)?.focus();
  };
  const onPresent = (act: (row: HTMLElement) => void) => (): void => {
    const row = rows()[at()];
    if (row !== undefined) act(row);
  };
  const more = Object.entries(keys).map(([key, act]) => [key, onPresent(act)] as const);
  const all: Keys = { j: step(1), ArrowDown: step(1), k: step(-1), ArrowUp: step(-1), ...Object.fromEntries(more) };
  useKeys(all);
}
