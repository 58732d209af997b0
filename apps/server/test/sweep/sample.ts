import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { type Schema, variantsOf } from "./input-schema.ts";
import { knownValue } from "./known-values.ts";

/** Where a sample takes what no schema can know. */
export interface SampleSource {
  /** The id of an entity of this kind that the caller may refer to. */
  refer(kind: string): Promise<string>;
  /** A number that was not given out before. */
  next(): number;
  /** Fields of an operation's body that only the service can give out. */
  given(operation: string): Promise<object>;
}

/** A value the schema accepts: of an object only what it requires. */
export async function sampleOf(schema: Schema, source: SampleSource, path: readonly string[] = []): Promise<unknown> {
  const known = knownValue(path, source.next());
  if (known !== undefined) return known;
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  const [node] = variantsOf(schema);
  if (node === undefined) return null;
  if (node.const !== undefined) return node.const;
  if (node.enum !== undefined) return node.enum[0];
  if (node.refersTo !== undefined) return source.refer(node.refersTo);
  if (node.type === "object") return objectSample(node, source, path);
  if (node.type === "array") return arraySample(node, source, path);
  return plainSample(node, schema.default, source.next());
}

async function objectSample(node: Schema, source: SampleSource, path: readonly string[]): Promise<unknown> {
  const sample: Record<string, unknown> = {};
  for (const name of node.required ?? []) {
    sample[name] = await sampleOf(node.properties?.[name] ?? {}, source, [...path, name]);
  }
  return sample;
}

async function arraySample(node: Schema, source: SampleSource, path: readonly string[]): Promise<unknown> {
  const item = node.items ?? {};
  // A set of choices is asked for where one of them has to fit, so all of them are offered.
  if (item.enum !== undefined) return item.enum;
  const items: unknown[] = [];
  for (let n = 0; n < (node.minItems ?? 0); n += 1) items.push(await sampleOf(item, source, [...path, String(n)]));
  return items;
}

function plainSample(node: Schema, preset: unknown, n: number): unknown {
  if (node.type === "boolean") return preset !== true;
  if (node.type === "integer" || node.type === "number") return numberSample(node, n);
  return node.type === "string" ? textSample(node, n) : `anything ${n}`;
}

const numberSample = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema, n: number): number =>
  Math.min(maximum, Math.max(minimum, 7 + (n % 100)));

const byFormat: Readonly<Record<string, (n: number) => string>> = {
  uuid: () => unknownId(),
  "date-time": () => "2099-01-01T00:00:00.000Z",
  date: () => "2099-01-01",
  uri: (n) => `https://example.com/${n}`,
  email: (n) => `person${n}@example.com`,
};

function textSample(
  { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema,
  n: number,
): string {
  const formed = format === undefined ? undefined : byFormat[format]?.(n);
  if (formed !== undefined) return formed;
  if (pattern !== undefined) return matching(new RegExp(pattern, "u"), n);
  return `Sample ${n}`.padEnd(minLength, "x").slice(0, maxLength);
}

/** Texts that are different each time, for names that have to be free; where none fits, anything that does. */
function matching(pattern: RegExp, n: number): string {
  const plain = [`Sample ${n}`, `sample-${n}`, `S${n.toString(36).toUpperCase()}`, n.toString(16).padStart(64, "0")];
  const fitting = plain.find((text) => pattern.test(text));
  return fitting ?? fc.sample(fc.stringMatching(pattern), { seed: n, numRuns: 1 })[0] ?? "";
}

/** A well-formed id that nothing has. */
export const unknownId = (): string => randomUUID();
