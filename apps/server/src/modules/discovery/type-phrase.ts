import type { SchemaNode } from "./schema-tree.ts";

const anyJson = "any JSON value";

/** What a value must be, in words: `string, 1 to 200 characters`. */
export function typePhrase(node: SchemaNode): string {
  if (node.enum !== undefined) return `one of: ${node.enum.map(String).join(", ")}`;
  if (node.const !== undefined) return JSON.stringify(node.const);
  const branches = branchesOf(node);
  if (branches !== undefined) return branches.map(typePhrase).join(", or ");
  switch (node.type) {
    case "string":
      return stringPhrase(node);
    case "integer":
    case "number":
      return phrase(node.type, range(node.minimum, node.maximum));
    case "array":
      return arrayPhrase(node);
    case "object":
      return objectPhrase(node);
    default:
      return typeof node.type === "string" ? node.type : anyJson;
  }
}

/** The object with named members that a node can be, null set aside; null when there is none or more than one. */
export function objectIn(node: SchemaNode): SchemaNode | null {
  const [only, ...others] = (branchesOf(node) ?? [node]).filter((branch) => branch.type !== "null");
  return only?.properties !== undefined && others.length === 0 ? only : null;
}

function branchesOf(node: SchemaNode): SchemaNode[] | undefined {
  return (node.anyOf ?? node.oneOf) as SchemaNode[] | undefined;
}

function stringPhrase(node: SchemaNode): string {
  if (node.format !== undefined) return `string (${node.format})`;
  return phrase("string", range(node.minLength, node.maxLength, "characters"), matching(node.pattern));
}

function arrayPhrase(node: SchemaNode): string {
  const items = (node.items ?? {}) as SchemaNode;
  return phrase("array", range(node.minItems, node.maxItems, "items"), `each: ${typePhrase(items)}`);
}

function objectPhrase(node: SchemaNode): string {
  if (node.properties !== undefined) return membersPhrase(node);
  const values = node.additionalProperties;
  if (typeof values !== "object") return "object";
  const names = matching((node.propertyNames as SchemaNode | undefined)?.pattern);
  return phrase("object", names && `names ${names}`, `each value: ${typePhrase(values)}`);
}

function membersPhrase(node: SchemaNode): string {
  const members = Object.entries(node.properties ?? {}).map(([name, inner]) => {
    const optional = node.required?.includes(name) ? "" : "?";
    return `${JSON.stringify(name)}${optional}: ${typePhrase(inner as SchemaNode)}`;
  });
  return `object { ${members.join("; ")} }`;
}

// A regular expression's source escapes slashes, which means nothing outside of one.
function matching(pattern: string | undefined): string {
  return pattern === undefined ? "" : `matching ${pattern.replaceAll("\\/", "/")}`;
}

// Zod states the bounds of safe integers where there are no others; no reader needs them.
function range(least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER, unit = ""): string {
  const bounded = { below: least > Number.MIN_SAFE_INTEGER, above: most < Number.MAX_SAFE_INTEGER };
  if (!bounded.below && !bounded.above) return "";
  if (!bounded.below) return `at most ${most} ${unit}`.trim();
  if (!bounded.above) return `at least ${least} ${unit}`.trim();
  return `${least} to ${most} ${unit}`.trim();
}

function phrase(...parts: string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}
