/** Which part of a picture is seen: where its corner is, in pixels of the window, and how large it is drawn. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Width and height. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A place in the window. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const smallest = 0.08;
const largest = 2;
const margin = 24;

/** Larger or smaller by a factor; what is at this place stays there. Pure. */
export function zoomed({ x, y, scale }: View, at: Point, factor: number): View {
  const next = Math.min(largest, Math.max(smallest, scale * factor));
  const ratio = next / scale;
  return { x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio, scale: next };
}

/** All of a picture, in the middle, never larger than it is. Pure. */
export function fitted(picture: Size, window: Size): View {
  const scale = Math.max(
    smallest,
    Math.min(1, (window.width - 2 * margin) / picture.width, (window.height - 2 * margin) / picture.height),
  );
  return { x: (window.width - picture.width * scale) / 2, y: margin, scale };
}

/** So much of a picture that it can be read: all of it where that is large enough, else from this place on. Pure. */
export function readable(picture: Size, window: Size, from: Point): View {
  const all = fitted(picture, window);
  const least = 0.6;
  if (all.scale >= least) return all;
  return { x: window.width / 2 - from.x * least, y: margin - from.y * least, scale: least };
}

/** The same, moved so far that this part of the picture is in the window. Pure. */
export function revealing(view: View, part: Point & Size, window: Size): View {
  const left = view.x + part.x * view.scale;
  const top = view.y + part.y * view.scale;
  const [width, height] = [part.width * view.scale, part.height * view.scale];
  const isSeen = left >= 0 && top >= 0 && left + width <= window.width && top + height <= window.height;
  if (isSeen) return view;
  return { ...view, x: view.x + (window.width - width) / 2 - left, y: view.y + (window.height - height) / 2 - top };
}

/** Moved as a pointer has moved. Pure. */
export const dragged = ({ x, y, scale }: View, before: Point, now: Point): View => ({
  x: x + now.x - before.x,
  y: y + now.y - before.y,
  scale,
});

/** Larger or smaller as one of two fingers has moved from or to the other. Pure. */
export function pinched(view: View, { before, now, other }: Record<"before" | "now" | "other", Point>): View {
  const distance = (point: Point): number => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
  const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
  return zoomed(view, middle, distance(now) / distance(before));
}
