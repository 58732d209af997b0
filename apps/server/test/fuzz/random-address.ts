import fc from "fast-check";
import type { Schema } from "../sweep/input-schema.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 600 }),
  fc.constantFrom(
    "",
    "0",
    "1",
    "-1",
    "201",
    "1e3",
    "0x10",
    "null",
    "undefined",
    "true",
    "a,b",
    "\u0000",
    "%",
    "*",
    "'--",
  ),
);

/** Bytes as an address carries them; some of them are no UTF-8. */
const anyBytes = fc
  .uint8Array({ maxLength: 12 })
  .map((bytes) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""));

const encoded = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: texts.map((text) => encodeURIComponent(text.toWellFormed())) },
    { weight: 1, arbitrary: anyBytes },
    { weight: 1, arbitrary: fc.constantFrom("%", "%z", "%u0041", "%c0%80", "a+b") },
  );

/** A query of declared and other parameters, encoded; `ids` are some that exist. */
export function randomQuery(schema: Schema, ids: readonly string[]): fc.Arbitrary<string> {
  const names = Object.keys(schema.properties ?? {});
  const choices = Object.values(schema.properties ?? {}).flatMap((field) => field.enum ?? []) as string[];
  const value = encoded(fc.oneof(anyText, fc.constantFrom(...ids, ...choices, "5")));
  const name = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: encoded(anyText) },
  );
  return fc
    .array(fc.tuple(name, value), { maxLength: 5 })
    .map((parts) => parts.map(([left, right]) => `${left}=${right}`).join("&"));
}

/** One part of a path where an id would stand, encoded. */
export const randomPathPart: fc.Arbitrary<string> = encoded(anyText.filter((text) => text !== "." && text !== ".."));
