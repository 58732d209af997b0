import fc from "fast-check";
import type { Schema } from "../sweep/input-schema.ts";
import { fieldsOf, withoutValueAt, withValueAt } from "../sweep/schema-fields.ts";

/** What random bodies of an operation are made from. */
export interface BodyMatter {
  readonly schema: Schema;
  /** Bodies that are good, from which others are made by damage. */
  readonly good: readonly unknown[];
  /** Ids that something has, here and elsewhere. */
  readonly ids: readonly string[];
}

/** A body as it is sent: JSON of any kind, a good body with something damaged, and text that is nearly JSON. */
export function randomBody(matter: BodyMatter): fc.Arbitrary<string> {
  const names = [...new Set(fieldsOf(matter.schema).map(({ path }) => path.at(-1) ?? ""))];
  const value = randomValue(matter.ids, names);
  const json = fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 5 }) },
    { weight: 3, arbitrary: objectOf(names, value) },
    { weight: 8, arbitrary: damaged(matter, value) },
  );
  const text = json.map((body) => JSON.stringify(body) ?? "");
  return fc.oneof({ weight: 10, arbitrary: text }, { weight: 1, arbitrary: nearlyJson(text) }, fc.string());
}

const anyText = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.string({ unit: "grapheme", maxLength: 300 }));

const oddities: readonly unknown[] = [
  ...[
    "",
    " ",
    "\u0000",
    "\ud800",
    "\u202e",
    "null",
    "[redacted]",
    "__proto__",
    "constructor",
    "../..",
    "a".repeat(70_000),
  ],
  ...["2026-13-45T99:99:99.000Z", "2026-01-01T00:00:00.000Z", "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"],
  ...[0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324, 900_000_000_001],
  ...[null, true, false, [], {}, [[]], [null], { "": "" }, { toString: 1 }, { length: 3 }],
];

/** Values that a field may meet: of every JSON type, at the edges, and ids that exist. */
function randomValue(ids: readonly string[], names: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...oddities) },
    { weight: 2, arbitrary: anyText },
    { weight: 2, arbitrary: fc.constantFrom(...ids, ...names) },
    { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...oddities, ...ids), { maxLength: 5 }) },
  );
}

const objectOf = (names: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.dictionary(fc.oneof(fc.constantFrom(...names, "unknown"), anyText), value, { maxKeys: 6 });

/** A good body with one to three of its fields replaced, added or taken away. */
function damaged({ schema, good }: BodyMatter, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const paths = fieldsOf(schema).map(({ path }) => path);
  const damage = fc.record({
    path: fc.constantFrom(...paths, ["unknown"]),
    value: fc.option(value, { nil: undefined, freq: 8 }),
  });
  return fc
    .tuple(fc.constantFrom(...good), fc.array(damage, { minLength: 1, maxLength: 3 }))
    .map(([body, damages]) =>
      damages.reduce<unknown>(
        (at, { path, value: put }) => (put === undefined ? withoutValueAt(at, path) : withValueAt(at, path, put)),
        body,
      ),
    );
}

/** JSON with a few characters cut out or put in. */
const nearlyJson = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.nat(), fc.nat(4), fc.string({ maxLength: 3 })).map(([whole, at, cut, put]) => {
    const from = at % (whole.length + 1);
    return whole.slice(0, from) + put + whole.slice(from + cut);
  });
