import { resolve, sep } from "node:path";

/** A run cannot be prepared as its order says; the message is a sentence for people. */
export class UnfitOrderError extends Error {
  override readonly name = "UnfitOrderError";
}

/** The path of a name below a folder. Throws {@link UnfitOrderError} for a name that leads out of it. Pure. */
export function inside(folder: string, name: string): string {
  const path = resolve(folder, name);
  const isInside = path.startsWith(folder + sep) && !name.includes("\0");
  if (!isInside) throw new UnfitOrderError("The name of a file of the run leads out of its folder.");
  return path;
}
