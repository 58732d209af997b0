import type { JsonObject } from "@roster/contract";
import { mergePatch } from "../../platform/merge-patch.ts";

/**
 * Settings after a merge patch (RFC 7396). An entry of `env` that comes in another form than the stored one is another
 * value and replaces it: of the reference that a text became in the secret store, nothing may be left in it. Pure.
 */
export function mergedSettings(present: JsonObject, patch: JsonObject): JsonObject {
  const merged = mergePatch(present, patch) as JsonObject;
  const before = membersOf(present["env"]);
  const replaced = Object.entries(membersOf(patch["env"])).filter(([name, entry]) => {
    const { type } = membersOf(entry);
    return type !== undefined && type !== membersOf(before[name])["type"];
  });
  if (replaced.length === 0) return merged;
  return { ...merged, env: { ...membersOf(merged["env"]), ...Object.fromEntries(replaced) } };
}

const membersOf = (value: JsonObject[string] | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
