import { useCallback, useState } from "react";

const keyOf = (key: string): string => `roster.draft ${key}`;

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
