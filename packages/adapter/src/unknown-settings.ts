import { z } from "zod";
import type { AdapterSpec } from "./adapter-spec.ts";

type Node = z.core.JSONSchema.BaseSchema;
type Settings = Pick<AdapterSpec, "settings">;

/** Names of all settings of an adapter, nested ones dotted: `runner`, `runner.labels`. */
export function knownSettings(spec: Settings): string[] {
  return namesBelow(schemaOf(spec), "");
}

/**
 * Keys of `config` that the adapter's settings do not know, nested ones dotted. Such keys are kept, never refused: they
 * may be meant for a newer version; but a misspelled one has no effect and should be reported.
 */
export function unknownSettings(spec: Settings, config: Readonly<Record<string, unknown>>): string[] {
  return unknownBelow(schemaOf(spec), config, "");
}

function schemaOf(spec: Settings): Node {
  return z.toJSONSchema(spec.settings, { io: "input", unrepresentable: "any" }) as Node;
}

function namesBelow(node: Node, prefix: string): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, inner]) => [
    prefix + key,
    ...namesBelow(inner as Node, `${prefix}${key}.`),
  ]);
}

function unknownBelow(node: Node, value: unknown, prefix: string): string[] {
  const known = node.properties;
  if (known === undefined || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    Object.hasOwn(known, key) ? unknownBelow(known[key] as Node, inner, `${prefix}${key}.`) : [prefix + key],
  );
}
