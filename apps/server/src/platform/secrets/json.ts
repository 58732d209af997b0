/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** An object of JSON. */
export type JsonObject = { readonly [key: string]: Json };

/** Deeper than any configuration a person writes, and shallow enough to be walked by recursion. */
export const MAX_DEPTH = 500;

/** Tells an object from the other values of JSON. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
