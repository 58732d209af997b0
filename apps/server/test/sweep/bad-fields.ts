import { type Expected, refused } from "./answer-check.ts";
import type { BadInput, Ground } from "./bad-input.ts";
import { instanceKinds } from "./entity-builders.ts";
import { type JsonType, type Schema, schemaOf, typesOf, variantsOf } from "./input-schema.ts";
import { sampleOf, unknownId } from "./sample.ts";
import { type Field, fieldsOf, fixedObjectsOf, isAnything, withoutValueAt, withValueAt } from "./schema-fields.ts";
import { sampleSource } from "./valid-inputs.ts";
import { ruleOf } from "./world.ts";

const longest = 900_000;

/** A body with one field wrong, for every field the body declares and every way a field can be wrong. */
export async function badFields(ground: Ground): Promise<BadInput[]> {
  const { body } = ground.named.operation;
  if (body === undefined) return [];
  const root = schemaOf(body, "input");
  const bad: BadInput[] = unknownFields(root, ground.good.body);
  for (const field of fieldsOf(root)) {
    const base = await bodyWith(ground, root, field);
    const at = field.path.join(".");
    const expected: Expected = field.inUnion ? refused("invalid_request") : { ...invalid, at };
    for (const { what, value } of wrongValues(field.schema)) {
      bad.push({ label: `${at} ${what}`, input: { body: withValueAt(base, field.path, value) }, expected });
    }
    if (field.required && !field.inUnion) {
      bad.push({ label: `${at} left out`, input: { body: withoutValueAt(base, field.path) }, expected });
    }
    bad.push(...(await badReferences(ground, field, base)));
    bad.push(...unstorableTexts(field, base, expected));
    // A runner has cleaned what it tells; it is not refused what looks like a secret for all that.
    if (!ruleOf(ground.named.operation).runner) bad.push(...secretTexts(field, base));
  }
  return bad;
}

const invalid = { kind: "refused", codes: ["invalid_request"] } as const;
// A rule that ties several fields together may be broken by it, and is looked at first.
const stored = { kind: "refused", codes: ["secret_in_text", "invalid_request"] } as const;
const unknown = { kind: "refused", codes: ["unknown_reference"] } as const;

/** The good body with everything around a field in place. */
async function bodyWith({ world, actor, place, good }: Ground, root: Schema, { path }: Field): Promise<unknown> {
  const [name = ""] = path;
  const outer = variantsOf(root).find(({ properties }) => properties?.[name] !== undefined)?.properties?.[name];
  const isThere = (good.body as Record<string, unknown> | undefined)?.[name] !== undefined;
  if (path.length < 2 || outer === undefined || isThere) return good.body;
  return withValueAt(good.body, [name], await sampleOf(outer, sampleSource(world, actor, place), [name]));
}

function unknownFields(root: Schema, base: unknown): BadInput[] {
  return fixedObjectsOf(root).flatMap(({ path, names, inUnion }) => {
    const [known = ""] = names;
    const misspelt = [...path, `${known}x`];
    const at = misspelt.join(".");
    const body = withValueAt(base, misspelt, "anything");
    const expected: Expected = inUnion ? invalid : { ...invalid, at, ...(known !== "" && { nearest: known }) };
    return path.includes("0") ? [] : [{ label: `the unknown field ${at}`, input: { body }, expected }];
  });
}

interface WrongValue {
  readonly what: string;
  readonly value: unknown;
}

const examples: readonly (readonly [JsonType, unknown])[] = [
  ["string", "text"],
  ["number", 12.5],
  ["boolean", true],
  ["object", {}],
  ["array", []],
  ["null", null],
];

/** Values that break what a field's schema says. */
function wrongValues(schema: Schema): WrongValue[] {
  const types = typesOf(schema);
  const wrongTypes = examples
    .filter(([type]) => !types.has(type))
    .map(([type, value]) => ({ what: `as ${type}`, value }));
  const variants = variantsOf(schema);
  const [only] = variants;
  return variants.length === 1 && only !== undefined ? [...wrongTypes, ...wrongForm(only)] : wrongTypes;
}

function wrongForm(schema: Schema): WrongValue[] {
  const { enum: choices, const: fixed, format, pattern, minLength = 0, maxLength, minimum, maximum } = schema;
  const wrong: WrongValue[] = [];
  if (choices !== undefined || fixed !== undefined)
    wrong.push({ what: "outside its choices", value: "no-such-choice" });
  if (format !== undefined || pattern !== undefined)
    wrong.push({ what: "of another form", value: "~ \n another form" });
  if (minLength > 0) wrong.push({ what: "empty", value: "" });
  if (maxLength !== undefined && maxLength < longest) {
    wrong.push({ what: "too long", value: "a ".repeat(maxLength).slice(0, maxLength).concat("a") });
  }
  if (minimum !== undefined)
    wrong.push({ what: "too small", value: Number.isSafeInteger(minimum - 1) ? minimum - 1 : -1e300 });
  if (maximum !== undefined)
    wrong.push({ what: "too large", value: Number.isSafeInteger(maximum + 1) ? maximum + 1 : 1e300 });
  return wrong;
}

async function badReferences({ world, named }: Ground, field: Field, base: unknown): Promise<BadInput[]> {
  const kind = variantsOf(field.schema).find(({ refersTo }) => refersTo !== undefined)?.refersTo;
  if (kind === undefined || instanceKinds.has(kind)) return [];
  const at = field.path.join(".");
  const foreign = await world.build(kind, { companyId: world.elsewhere, params: {} });
  const withId = (id: string) => ({ body: withValueAt(base, field.path, id) });
  const ofNobody: BadInput = {
    label: `${at} of nobody`,
    input: withId(unknownId()),
    expected: { ...unknown, at },
    found: "state",
  };
  // Who runs the deployment acts in no company, so none is another.
  if (ruleOf(named.operation).board === "instanceAdmin") return [ofNobody];
  return [
    { label: `${at} of another company`, input: withId(foreign), expected: refused("other_company"), found: "state" },
    ofNobody,
  ];
}

/** Texts that the database cannot keep. */
function unstorableTexts(field: Field, base: unknown, expected: Expected): BadInput[] {
  const at = field.path.join(".");
  const inner = isAnything(field.schema) ? ["inner"] : [];
  if (!typesOf(field.schema).has("string")) return [];
  const withText = (text: string) => ({ body: withValueAt(base, [...field.path, ...inner], text) });
  return [
    { label: `${at} with a NUL character`, input: withText("a\u0000b"), expected },
    { label: `${at} with half a surrogate pair`, input: withText("a\ud800b"), expected },
    { label: `${at} with the other half`, input: withText("a\udc00b"), expected },
  ];
}

const secret = `ghp_${"Zx81Qm4LtR7vKp2N".repeat(3).slice(0, 36)}`;

/** A secret where it would be stored in clear, in every field that takes free text. */
function secretTexts({ path, schema, holdsSecrets }: Field, base: unknown): BadInput[] {
  const at = path.join(".");
  const [only] = variantsOf(schema);
  const isFree = only?.type === "string" && (only.enum ?? only.const ?? only.format ?? only.pattern) === undefined;
  if (!isFree || holdsSecrets || (only.maxLength ?? longest) < secret.length) return [];
  const body = withValueAt(base, path, secret);
  return [{ label: `${at} with a secret`, input: { body }, expected: stored }];
}
