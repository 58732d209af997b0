import { type EnvironmentValue, environmentEntries } from "@roster/adapter";
import type { JsonObject } from "@roster/contract";
import { checked } from "../../platform/schema-check.ts";

/** Environment entries of an agent by name, in one of their three forms each. */
export type Environment = Readonly<Record<string, EnvironmentValue>>;
/** An entry whose value is a version of a secret. */
export type SecretReference = Extract<EnvironmentValue, { type: "secret_ref" }>;

/** Where a body has its environment. */
export const environmentPath = "adapterConfig.env";

/** The entries of an agent's `adapterConfig.env`; refuses what is none. */
export const environmentOf = (env: JsonObject): Environment => checked(environmentEntries, env, environmentPath);

/** The references among the entries, by the entries' names; ids as the database writes them. */
export function referencesIn(env: Environment): Map<string, SecretReference> {
  const references = new Map<string, SecretReference>();
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === "string" || value.type === "plain") continue;
    references.set(name, { ...value, secretId: value.secretId.toLowerCase() });
  }
  return references;
}

/** The texts among the entries, spelled out or not, by the entries' names. */
export function textsIn(env: Environment): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === "string") texts.set(name, value);
    else if (value.type === "plain") texts.set(name, value.value);
  }
  return texts;
}
