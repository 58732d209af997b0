import type { JsonObject } from "@roster/contract";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { environmentOf, environmentPath, referencesIn } from "./environment.ts";
import { openVersion } from "./sealed-value.ts";
import { findSecrets, type SecretVersionRow, type SecretWithValues } from "./store.ts";

/** Versions of secrets by the names of the entries that refer to them. */
export type SecretVersions = Readonly<Record<string, number>>;

/**
 * The values behind the references of an agent's stored environment, by the names of its entries; "latest" is what
 * `pinned` says it is. Only what starts a program may call it. Throws Missing for a reference that leads nowhere in this
 * company, and an error for a value that the master key does not open.
 */
export async function revealSecrets(
  scope: Scope,
  keys: Keys,
  env: JsonObject,
  pinned: SecretVersions | null = null,
): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  for (const [entry, { secret, number, stored }] of await secretsBehind(scope, env, pinned)) {
    if (stored === undefined) throw new Missing("secret", secret.id, `${environmentPath}.${entry} version ${number}`);
    values.set(entry, openVersion(keys, secret, stored));
  }
  return values;
}

/** What "latest" means now for the references of a stored environment; null where there are no references. */
export async function pinSecrets(scope: Scope, env: JsonObject): Promise<Record<string, number> | null> {
  const behind = await secretsBehind(scope, env, null);
  return behind.size === 0 ? null : Object.fromEntries([...behind].map(([entry, { number }]) => [entry, number]));
}

interface Behind {
  readonly secret: SecretWithValues["secret"];
  readonly number: number;
  readonly stored: SecretVersionRow | undefined;
}

async function secretsBehind(
  scope: Scope,
  env: JsonObject,
  pinned: SecretVersions | null,
): Promise<Map<string, Behind>> {
  const references = referencesIn(environmentOf(env));
  if (references.size === 0) return new Map();
  const wanted = [...references.values()];
  const named = wanted.map(({ version }) => version).filter((version) => version !== "latest");
  const known = await findSecrets(scope, {
    names: [],
    ids: wanted.map(({ secretId }) => secretId),
    numbers: [...named, ...Object.values(pinned ?? {})],
  });
  const byId = new Map(known.map((found) => [found.secret.id, found]));
  const behind = new Map<string, Behind>();
  for (const [entry, { secretId, version }] of references) {
    const found = byId.get(secretId);
    if (found === undefined) throw new Missing("secret", secretId, `${environmentPath}.${entry}`);
    const { secret, values } = found;
    const number = version === "latest" ? (pinned?.[entry] ?? secret.latestVersion) : version;
    behind.set(entry, { secret, number, stored: values.get(number) });
  }
  return behind;
}
