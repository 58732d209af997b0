import { useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";

/** What keys do, by their names: `j`, `?`, `Escape`, `Shift+ArrowLeft`. */
export type Keys = Readonly<Record<string, () => void>>;

const typed = "input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=menuitem]";

/**
 * Keys of a page, wherever on it one is: but not where one types or chooses, not below a dialog, and not with Ctrl, Alt
 * or Cmd, which belong to the browser.
 */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.matches(typed)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const name = event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key;
      const act = latest.current[name];
      if (act === undefined) return;
      event.preventDefault();
      // The next key finds the page as this one leaves it.
      flushSync(act);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
