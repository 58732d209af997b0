import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { dragged, type Point, pinched, type Size, type View, zoomed } from "./view.ts";

const keyStep = 80;
const keyFactor = 1.25;
const wheelFactor = 0.0015;
/** A pinch on a touchpad comes as a wheel with Ctrl, in smaller steps. */
const pinchFactor = 0.009;
/** So far a pointer moves before it is taken to drag: a press that trembles is a press. */
const tremble = 4;

/** Looking at a part of a picture, by pointer, wheel, two fingers or keys. */
export interface PanZoom {
  readonly ref: RefObject<HTMLElement | null>;
  /** Null until it is known how large the window is. */
  readonly view: View | null;
  readonly window: Size | null;
  set(view: View): void;
  /** Around the middle. */
  zoom(factor: number): void;
}

type Change = (next: (view: View) => View) => void;

/** Keeps which part of a picture is seen. */
export function usePanZoom(): PanZoom {
  const ref = useRef<HTMLElement | null>(null);
  const [view, set] = useState<View | null>(null);
  const window = useSizeOf(ref);
  const change: Change = useCallback((next) => set((was) => (was === null ? null : next(was))), []);
  const zoom = (factor: number): void => {
    if (window === null) return;
    change((was) => zoomed(was, { x: window.width / 2, y: window.height / 2 }, factor));
  };
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const leave = [followWheel(element, change), followPointers(element, change), followKeys(element, change)];
    return () => leave.forEach((each) => void each());
  }, [change]);
  return { ref, view, window, set, zoom };
}

function useSizeOf(ref: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}

function placeIn(element: HTMLElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

function followWheel(element: HTMLElement, change: Change): () => void {
  const turn = (event: WheelEvent): void => {
    event.preventDefault();
    const at = placeIn(element, event);
    const factor = Math.exp(-event.deltaY * (event.ctrlKey ? pinchFactor : wheelFactor));
    change((view) => zoomed(view, at, factor));
  };
  // Not passive: else the page behind would scroll.
  element.addEventListener("wheel", turn, { passive: false });
  return () => element.removeEventListener("wheel", turn);
}

const steps: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: keyStep, y: 0 },
  ArrowRight: { x: -keyStep, y: 0 },
  ArrowUp: { x: 0, y: keyStep },
  ArrowDown: { x: 0, y: -keyStep },
};
const factors: Readonly<Record<string, number>> = { "+": keyFactor, "=": keyFactor, "-": 1 / keyFactor };

/** Keys that are pressed while something in the picture has the focus. */
function followKeys(element: HTMLElement, change: Change): () => void {
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    const factor = factors[event.key];
    const middle = { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    if (step !== undefined) change(({ x, y, scale }) => ({ x: x + step.x, y: y + step.y, scale }));
    else if (factor !== undefined) change((view) => zoomed(view, middle, factor));
    else return;
    event.preventDefault();
  };
  element.addEventListener("keydown", press);
  return () => element.removeEventListener("keydown", press);
}

function followPointers(element: HTMLElement, change: Change): () => void {
  const down = new Map<number, Point>();
  let isDragged = false;
  const begin = (event: PointerEvent): void => {
    if (event.button === 0) down.set(event.pointerId, placeIn(element, event));
  };
  const move = (event: PointerEvent): void => {
    const before = down.get(event.pointerId);
    if (before === undefined) return;
    const now = placeIn(element, event);
    if (!isDragged && Math.hypot(now.x - before.x, now.y - before.y) < tremble) return;
    // From here on it is no press on what is below the pointer.
    element.setPointerCapture(event.pointerId);
    isDragged = true;
    const [other] = [...down].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    down.set(event.pointerId, now);
    change((view) => (other === undefined ? dragged(view, before, now) : pinched(view, { before, now, other })));
  };
  const end = (event: PointerEvent): void => {
    down.delete(event.pointerId);
    if (down.size === 0) isDragged = false;
  };
  element.addEventListener("pointerdown", begin);
  element.addEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel", "pointerleave"] as const) element.addEventListener(name, end);
  return () => {
    element.removeEventListener("pointerdown", begin);
    element.removeEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel", "pointerleave"] as const) element.removeEventListener(name, end);
  };
}
