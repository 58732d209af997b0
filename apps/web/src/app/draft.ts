import { useCallback, useMemo, useState } from "react";

const keyOf = (key: string): string => `roster.draft ${key}`;

/** True where something is being written under this key. */
export const hasDraft = (key: string): boolean => sessionStorage.getItem(keyOf(key)) !== null;

/** What somebody is writing: kept in this tab until it is sent, whatever happens to the page or to Roster. */
export function useDraft(key: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => sessionStorage.getItem(keyOf(key)) ?? "");
  const write = useCallback(
    (next: string) => {
      setText(next);
      if (next === "") sessionStorage.removeItem(keyOf(key));
      else sessionStorage.setItem(keyOf(key), next);
    },
    [key],
  );
  return [text, write];
}

/** A form that somebody is filling in, kept in the same way; `null` forgets it. What is secret does not belong in it. */
export function useFormDraft<T extends object>(key: string, blank: T): [T, (form: T | null) => void] {
  const [text, write] = useDraft(key);
  const form = useMemo(() => formIn(text, blank), [text, blank]);
  const keep = useCallback((next: T | null) => write(next === null ? "" : JSON.stringify(next)), [write]);
  return [form, keep];
}

/** Fields of the form alone: what an older page has kept may have had others. */
function formIn<T extends object>(text: string, blank: T): T {
  if (text === "") return blank;
  try {
    const kept = JSON.parse(text) as Record<string, unknown>;
    const known = Object.entries(blank).map(([name, value]) => {
      return [name, typeof kept[name] === typeof value ? kept[name] : value];
    });
    return Object.fromEntries(known) as T;
  } catch {
    return blank;
  }
}

/** Something of more than text that somebody is making, kept in the same way; null while there is none. */
export function useKept<T extends object>(key: string): [T | null, (made: T | null) => void] {
  const [text, write] = useDraft(key);
  const made = useMemo(() => (text === "" ? null : (JSON.parse(text) as T)), [text]);
  const keep = useCallback((next: T | null) => write(next === null ? "" : JSON.stringify(next)), [write]);
  return [made, keep];
}
