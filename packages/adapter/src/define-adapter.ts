import type { z } from "zod";
import type { AdapterSpec } from "./adapter-spec.ts";
import { unknownSettings } from "./unknown-settings.ts";

/**
 * Declares an adapter; keeps the type of its settings. Throws when the declaration contradicts itself: a type that is
 * not lower-case with underscores, or an example that its own settings refuse or do not know.
 */
export function defineAdapter<Settings extends z.ZodObject>(spec: AdapterSpec<Settings>): AdapterSpec<Settings> {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(spec.type)) throw new Error(`"${spec.type}" is not a name for an adapter type`);
  const parsed = spec.settings.safeParse(spec.example);
  if (!parsed.success) throw new Error(`The example of adapter ${spec.type} is not valid: ${parsed.error.message}`);
  const unknown = unknownSettings(spec, spec.example);
  if (unknown.length > 0)
    throw new Error(`The example of adapter ${spec.type} has unknown keys: ${unknown.join(", ")}`);
  return Object.freeze({ ...spec });
}
