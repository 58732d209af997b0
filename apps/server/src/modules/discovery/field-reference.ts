import type { z } from "zod";
import { type SchemaNode, schemaTree } from "./schema-tree.ts";
import { objectIn, typePhrase } from "./type-phrase.ts";

/**
 * One line for every field of a schema, nested ones with their whole path: name, type, limits, default, description;
 * what is required comes first. `prefix` goes before each path, as in `adapterConfig.`.
 */
export function fieldReference(schema: z.ZodType, prefix = ""): string {
  return linesBelow(schemaTree(schema), prefix).join("\n");
}

function linesBelow(node: SchemaNode, prefix: string): string[] {
  const names = Object.keys(node.properties ?? {});
  const required = names.filter((name) => node.required?.includes(name));
  const optional = names.filter((name) => !node.required?.includes(name));
  const lines = (name: string, presence: (field: SchemaNode) => string) => {
    const field = node.properties?.[name] as SchemaNode;
    return linesOf(prefix + name, field, presence(field));
  };
  return [
    ...required.flatMap((name) => lines(name, () => "required")),
    ...optional.flatMap((name) => lines(name, whenAbsent)),
  ];
}

function linesOf(path: string, field: SchemaNode, presence: string): string[] {
  const members = objectIn(field);
  const line = `- ${path} (${shape(field, members)}; ${presence})`;
  const described = field.description === undefined ? line : `${line}: ${field.description}`;
  return members === null ? [described] : [described, ...linesBelow(members, `${path}.`)];
}

function shape(field: SchemaNode, members: SchemaNode | null): string {
  if (members === null) return typePhrase(field);
  return members === field ? "object, see below" : "object, see below, or null";
}

function whenAbsent(field: SchemaNode): string {
  return field.default === undefined ? "optional" : `default ${JSON.stringify(field.default)}`;
}
