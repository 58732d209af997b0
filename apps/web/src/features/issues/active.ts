import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** The issue that keys act on. */
export interface Active {
  /** As it is drawn. */
  readonly id: string | null;
  /** As it is: keys may come faster than the page is drawn, and none of them is lost. */
  readonly now: () => string | null;
  /** Makes it another one, and puts the focus on it as soon as it is drawn. */
  readonly go: (id: string) => void;
  /** It is another one already, because somebody clicked or tabbed there. */
  readonly note: (id: string) => void;
}

/** Follows which issue keys act on; in `container` every issue has its id as `data-issue`, and a link. */
export function useActive(container: RefObject<HTMLElement | null>): Active {
  const [id, setId] = useState<string | null>(null);
  const present = useRef<string | null>(null);
  const wanted = useRef<string | null>(null);
  const isHere = useStay(container);
  useLayoutEffect(() => {
    // What is drawn elsewhere takes the focus along.
    const isLost = isHere.current && document.activeElement === document.body;
    const target = wanted.current ?? (isLost ? present.current : null);
    if (target === null) return;
    const link = container.current?.querySelector<HTMLElement>(`[data-issue="${target}"] a`);
    if (link === null || link === undefined) return;
    wanted.current = target;
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "nearest", inline: "nearest" });
    wanted.current = null;
  });
  const set = useCallback((next: string) => {
    present.current = next;
    setId(next);
  }, []);
  return {
    id,
    now: () => present.current,
    go: (next) => {
      wanted.current = next;
      set(next);
    },
    note: (next) => {
      // The focus that was put there itself says nothing new.
      if (wanted.current === null) set(next);
    },
  };
}

/** Whether the focus is in there, or was until what had it went away by itself. */
function useStay(container: RefObject<HTMLElement | null>): RefObject<boolean> {
  const isHere = useRef(false);
  useEffect(() => {
    const look = ({ target }: Event): void => {
      isHere.current = target instanceof Node && container.current?.contains(target) === true;
    };
    document.addEventListener("focusin", look);
    document.addEventListener("pointerdown", look);
    return () => {
      document.removeEventListener("focusin", look);
      document.removeEventListener("pointerdown", look);
    };
  }, [container]);
  return isHere;
}
