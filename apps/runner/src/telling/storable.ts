import type { JsonObject } from "@roster/contract";

type Json = JsonObject[string];

const deepest = 64;

/**
 * The object as a database takes it: NUL and halves of characters, which it refuses, become the replacement character.
 * Null when it is nested too deep. Pure.
 */
export function storable(value: unknown): JsonObject | null {
  try {
    return clean(value, 0) as JsonObject;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function clean(value: unknown, depth: number): Json {
  if (depth > deepest) throw new RangeError("nested too deep");
  if (typeof value === "string") return cleanText(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map((each) => clean(each, depth + 1));
  if (typeof value !== "object" || value === null) return typeof value === "boolean" ? value : null;
  const kept = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(kept.map(([key, each]) => [cleanText(key), clean(each, depth + 1)]));
}

const cleanText = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();
