/** What stands at this path of an object, its parts parted by dots; undefined where there is nothing. Pure. */
export function fieldAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, name) => {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    return (at as Record<string, unknown>)[name];
  }, value);
}

/** The text at this path; undefined where there is none, or an empty one. Pure. */
export function textAt(value: unknown, path: string): string | undefined {
  const found = fieldAt(value, path);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** The amount at this path, a whole number from 0 on; 0 where there is none. Pure. */
export function amountAt(value: unknown, path: string): number {
  const found = fieldAt(value, path);
  return typeof found === "number" && Number.isFinite(found) && found > 0 ? Math.round(found) : 0;
}

/** The list at this path; empty where there is none. Pure. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = fieldAt(value, path);
  return Array.isArray(found) ? found : [];
}

/** The entries of the object at this path; none where there is none. Pure. */
export function entriesAt(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  const found = fieldAt(value, path);
  return typeof found === "object" && found !== null && !Array.isArray(found) ? Object.entries(found) : [];
}
