import type { JsonObject } from "@roster/contract";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { environmentOf, environmentPath, referencesIn } from "./environment.ts";
import { openVersion } from "./sealed-value.ts";
import { findSecrets } from "./store.ts";

/**
 * The values behind the references of an agent's stored environment, by the names of its entries. Only what starts a
 * program may call it. Throws Missing for a reference that leads nowhere in this company, and an error for a value that
 * the master key does not open.
 */
export async function revealSecrets(scope: Scope, keys: Keys, env: JsonObject): Promise<Map<string, string>> {
  const references = referencesIn(environmentOf(env));
  if (references.size === 0) return new Map();
  const wanted = [...references.values()];
  const known = await findSecrets(scope, {
    names: [],
    ids: wanted.map(({ secretId }) => secretId),
    numbers: wanted.map(({ version }) => version).filter((version) => version !== "latest"),
  });
  const byId = new Map(known.map((found) => [found.secret.id, found]));
  const values = new Map<string, string>();
  for (const [entry, { secretId, version }] of references) {
    const found = byId.get(secretId);
    const stored = found?.values.get(version === "latest" ? found.secret.latestVersion : version);
    if (found === undefined || stored === undefined)
      throw new Missing("secret", secretId, `${environmentPath}.${entry}`);
    values.set(entry, openVersion(keys, found.secret, stored));
  }
  return values;
}
