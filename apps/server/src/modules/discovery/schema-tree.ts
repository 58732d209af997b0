import { z } from "zod";

/** A part of a JSON Schema without references. */
export type SchemaNode = z.core.JSONSchema.BaseSchema;

/** What a caller may send, as JSON Schema with every reference replaced by what it names; recursion ends as "anything". */
export function schemaTree(schema: z.ZodType): SchemaNode {
  const { $defs, ...root } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as SchemaNode;
  return inline(root, { named: $defs ?? {}, open: [] }) as SchemaNode;
}

interface References {
  readonly named: Readonly<Record<string, unknown>>;
  readonly open: readonly string[];
}

function inline(node: unknown, references: References): unknown {
  if (Array.isArray(node)) return node.map((item) => inline(item, references));
  if (typeof node !== "object" || node === null) return node;
  const { $ref, ...own } = node as SchemaNode;
  if ($ref === undefined) return inlineMembers(own, references);
  const target = references.named[$ref.replace("#/$defs/", "")];
  const recursive = references.open.includes($ref) || JSON.stringify(target ?? $ref).includes(`"${$ref}"`);
  if (recursive) return own;
  return inlineMembers({ ...(target as object), ...own }, { ...references, open: [...references.open, $ref] });
}

function inlineMembers(node: object, references: References): object {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inline(value, references)]));
}
