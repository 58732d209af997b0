import type { JsonObject } from "@roster/client";

/** The JSON Schema of one setting, as far as a field is made of it. */
export interface SettingSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: JsonObject[string];
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly items?: { readonly type?: string };
}

/** How a setting is filled in: `json` is what no other field can hold. */
export type SettingKind = "switch" | "choice" | "number" | "line" | "text" | "lines" | "json";

const longLine = 8192;

/** The field that a setting is filled in with. Pure. */
export function settingKind({ type, enum: values, maxLength, items }: SettingSchema): SettingKind {
  if (type === "boolean") return "switch";
  if (values !== undefined) return "choice";
  if (type === "integer" || type === "number") return "number";
  if (type === "string") return (maxLength ?? 0) > longLine ? "text" : "line";
  return type === "array" && items?.type === "string" ? "lines" : "json";
}

/** The settings of an adapter by their names, those first that it cannot do without; `env` has a field of its own. Pure. */
export function settingsIn(schema: JsonObject): readonly (readonly [string, SettingSchema])[] {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, SettingSchema>>;
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const named = Object.entries(properties).filter(([name]) => name !== "env");
  return named.toSorted(([one], [other]) => Number(required.has(other)) - Number(required.has(one)));
}
