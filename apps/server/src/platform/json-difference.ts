import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@roster/contract";

type Json = JsonObject[string];

/** One place where two JSON values differ; null where one of them has nothing. */
export interface JsonDifference {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Where two values differ, down to the member; arrays differ as a whole. Pure. */
export function differences(before: Json, after: Json, path = ""): JsonDifference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .flatMap((key) => differences(before[key] ?? null, after[key] ?? null, path === "" ? key : `${path}.${key}`));
}
