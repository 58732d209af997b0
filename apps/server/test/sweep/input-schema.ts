import { z } from "zod";

/** A JSON Schema node as Zod makes it, with the marks of the contract's own metadata. References are inlined. */
export interface Schema {
  readonly type?: JsonType;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Kind of entity whose id this is (`idOf`). */
  readonly refersTo?: string;
  /** Secrets may stand in it. */
  readonly holdsSecrets?: boolean;
}

/** Types of JSON values, integers apart. */
export type JsonType = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

const made = new WeakMap<z.ZodType, Map<string, Schema>>();

/** What a caller may send (`input`) or is answered (`output`) by this schema. */
export function schemaOf(schema: z.ZodType, io: "input" | "output"): Schema {
  const known = made.get(schema) ?? new Map<string, Schema>();
  made.set(schema, known);
  const present = known.get(io);
  if (present !== undefined) return present;
  const { $defs, ...root } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const inlined = inline(root, ($defs ?? {}) as Record<string, unknown>, root, []) as Schema;
  known.set(io, inlined);
  return inlined;
}

/** Puts what a reference names in its place; where a schema contains itself, anything is allowed from there on. */
function inline(node: unknown, defs: Readonly<Record<string, unknown>>, root: unknown, seen: string[]): unknown {
  if (Array.isArray(node)) return node.map((item) => inline(item, defs, root, seen));
  if (typeof node !== "object" || node === null) return node;
  const { $ref } = node as { $ref?: unknown };
  if (typeof $ref !== "string") {
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inline(value, defs, root, seen)]));
  }
  if (seen.includes($ref)) return {};
  const target = $ref === "#" ? root : defs[$ref.replace("#/$defs/", "")];
  return inline(target, defs, root, [...seen, $ref]);
}

/** The alternatives of a node other than null; the node itself where it has none. */
export function variantsOf(node: Schema): Schema[] {
  const alternatives = node.anyOf ?? node.oneOf;
  if (alternatives === undefined) return node.type === "null" ? [] : [node];
  return alternatives.flatMap(variantsOf);
}

/** The types of value a node lets through; all of them where it does not say. */
export function typesOf(node: Schema): Set<JsonType> {
  const alternatives = node.anyOf ?? node.oneOf;
  if (alternatives !== undefined) return new Set(alternatives.flatMap((alternative) => [...typesOf(alternative)]));
  if (node.type !== undefined) return new Set([node.type]);
  const values = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  if (values !== undefined) return new Set(values.map(typeOf));
  return new Set(["string", "number", "integer", "boolean", "null", "array", "object"]);
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}
