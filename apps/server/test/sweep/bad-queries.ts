import { type Expected, refused } from "./answer-check.ts";
import type { BadInput, Ground } from "./bad-input.ts";
import { instanceKinds } from "./entity-builders.ts";
import { type Schema, schemaOf, typesOf, variantsOf } from "./input-schema.ts";
import { unknownId } from "./sample.ts";
import { idsOf } from "./world.ts";

const longest = 8_000;

/** Queries that are wrong in one parameter, for every parameter and every way it can be wrong. */
export async function badQueries(ground: Ground): Promise<BadInput[]> {
  const { query } = ground.named.operation;
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query, "input");
  const [known = ""] = Object.keys(properties);
  const bad: BadInput[] = [unknownParameter(known)];
  for (const [name, schema] of Object.entries(properties)) {
    if (required.includes(name)) {
      bad.push({
        label: `?${name} left out`,
        input: { query: { [name]: undefined } },
        expected: { ...invalid, at: name },
      });
    }
    bad.push(...wrongParameters(name, schema), ...hostileParameters(name, schema));
    bad.push(...(await badReferences(ground, name, schema)));
  }
  return bad;
}

const invalid = { kind: "refused", codes: ["invalid_request"] } as const;

const unknownParameter = (known: string): BadInput => ({
  label: `the unknown parameter ?${known}x`,
  input: { rawQuery: `${known}x=1` },
  expected: { ...invalid, at: `${known}x`, nearest: known },
});

function wrongParameters(name: string, schema: Schema): BadInput[] {
  const [only = {}] = variantsOf(schema);
  const values = name === "cursor" ? badCursors : wrongTexts(only);
  return values.map((value) => ({
    label: `?${name}=${value.slice(0, 40)}`,
    input: { rawQuery: `${name}=${encodeURIComponent(value)}` },
    expected: { ...invalid, at: name },
  }));
}

const badCursors = ["", "no-cursor", "AAAA", "%", "-1", Buffer.from("{}").toString("base64url"), "a".repeat(501)];

function wrongTexts(schema: Schema): string[] {
  const { enum: choices, format, pattern, minLength = 0, maxLength, minimum, maximum } = schema;
  const wrong: string[] = [];
  const types = typesOf(schema);
  if (!types.has("string")) wrong.push("text", "1.5", "NaN", "Infinity", "1e999", "null", "[]");
  if (minimum !== undefined) wrong.push(String(Number.isSafeInteger(minimum - 1) ? minimum - 1 : -1e300));
  if (maximum !== undefined) wrong.push(String(Number.isSafeInteger(maximum + 1) ? maximum + 1 : 1e300));
  if (choices !== undefined || format !== undefined || pattern !== undefined) wrong.push("~ another form");
  if (minLength > 0) wrong.push("");
  if (maxLength !== undefined && maxLength < longest) wrong.push("a".repeat(maxLength + 1));
  return wrong;
}

/** What no list may stumble over; where the parameter takes free text, some of it is merely odd. */
function hostileParameters(name: string, schema: Schema): BadInput[] {
  const isFree = typesOf(schema).has("string");
  const odd: Expected = isFree ? { kind: "documented" } : refused("invalid_request");
  const values: readonly (readonly [string, string, Expected])[] = [
    ["a NUL character", "a%00b", invalid],
    ["half a surrogate pair", "%ED%A0%80", odd],
    ["a broken escape", "%zz", odd],
    ["a quote", "'%22%5C%3B--", odd],
  ];
  return [
    ...values.map(([what, value, expected]) => ({
      label: `?${name} with ${what}`,
      input: { rawQuery: `${name}=${value}` },
      expected,
    })),
    { label: `?${name} twice`, input: { rawQuery: `${name}=1&${name}=2` }, expected: invalid },
    { label: `?${name} twice, once with a NUL`, input: { rawQuery: `${name}=1&${name}=%00` }, expected: invalid },
  ];
}

/** A filter by an id of another company is refused; one by an id of nobody finds nothing. */
async function badReferences(
  { world, named, actor, place }: Ground,
  name: string,
  schema: Schema,
): Promise<BadInput[]> {
  const kind = variantsOf(schema).find(({ refersTo }) => refersTo !== undefined)?.refersTo;
  if (kind === undefined || instanceKinds.has(kind)) return [];
  const foreign =
    kind === "company" ? world.elsewhere : await world.build(kind, { companyId: world.elsewhere, params: {} });
  // What belongs to the deployment stands in no company, so nothing is of another one there.
  const isForeign = foreign !== place.companyId && (actor.agent !== undefined || idsOf(named.operation).length > 0);
  const { kind: answers } = named.operation.answer;
  const isFilter = (answers === "page" || answers === "lines") && kind !== "company";
  const nobody: Expected = isFilter ? { kind: "accepted", empty: true } : { kind: "documented" };
  return [
    {
      label: `?${name} of another company`,
      input: { rawQuery: `${name}=${foreign}` },
      expected: isForeign ? refused("other_company") : { kind: "documented" },
    },
    { label: `?${name} of nobody`, input: { rawQuery: `${name}=${unknownId()}` }, expected: nobody },
  ];
}
