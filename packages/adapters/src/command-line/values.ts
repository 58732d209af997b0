import { dirname } from "node:path/posix";
import type { AdapterOrder } from "@roster/adapter";

/** What the texts of a manifest can name. */
export type Values = ReadonlyMap<string, string>;

/** The values of an order; what is missing, empty or false has none. Pure. */
export function valuesOf({ settings, ...order }: AdapterOrder): Values {
  const { session, instructionsFile, skillsFolder, ownFolder } = order;
  const model = settings["model"];
  const [provider, ...name] = typeof model === "string" ? model.split("/") : [];
  const all: Readonly<Record<string, unknown>> = {
    ...settings,
    ...(name.length > 0 ? { modelProvider: provider, modelName: name.join("/") } : { modelName: model }),
    session: session?.["id"],
    instructionsFile,
    instructionsFolder: instructionsFile === null ? null : dirname(instructionsFile),
    skillsFolder,
    ownFolder,
  };
  return new Map(Object.entries(all).flatMap(([key, value]) => textsOf(key, value)));
}

function textsOf(key: string, value: unknown): (readonly [string, string])[] {
  if (typeof value === "string" || typeof value === "number") return value === "" ? [] : [[key, String(value)]];
  return value === true ? [[key, "true"]] : [];
}

/** A text with its values put in; what names none stays as it is. Pure. */
export const filled = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole);
