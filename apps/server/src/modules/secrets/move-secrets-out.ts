import { agentSecretPrefix, type JsonObject, secretBytes, utf8Bytes } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { Missing, Refusal } from "../../platform/refusal.ts";
import { findSecretShape, type Keys, looksSecret } from "../../platform/secrets/index.ts";
import { newSecret } from "./create-secret.ts";
import {
  type Environment,
  environmentOf,
  environmentPath,
  referencesIn,
  type SecretReference,
  textsIn,
} from "./environment.ts";
import { openVersion, sealVersion } from "./sealed-value.ts";
import { findSecrets, insertOrRaise, insertValues, type SecretWithValues } from "./store.ts";

/** An agent's environment on its way into the database. */
export interface IncomingEnvironment {
  /** `adapterConfig.env` as it shall be, placeholders already resolved. */
  readonly env: JsonObject;
  /** The agent's urlKey. */
  readonly owner: string;
  /** What the agent has at present, as this function answered it. */
  readonly previous?: JsonObject | undefined;
  /** Nothing of it takes effect before the board approves. Without that, an agent may not refer to secrets. */
  readonly boardDecides?: boolean;
}

/** A text of the environment that may not be stored in clear. */
interface SecretText {
  readonly entry: string;
  readonly secretName: string;
  readonly value: string;
}

/**
 * The environment without a secret in clear: each text that readers would not be shown is stored as the company's secret
 * `agents/<owner>/<entry>` and replaced by a reference that pins its version, so that an older revision keeps its value.
 * A value that the latest or the presently pinned version holds is not stored again. References are checked: unknown
 * ones are 422, another company's 403, and an agent may name none unless the board decides (403). A text that looks
 * secret but is too short or too long to be stored as one is 400; a secret as the name of an entry is 422.
 */
export async function moveSecretsOut(change: Change, keys: Keys, incoming: IncomingEnvironment): Promise<JsonObject> {
  const env = environmentOf(incoming.env);
  requirePublicNames(env);
  const references = referencesIn(env);
  if (references.size > 0) requireMayRefer(change, incoming);
  const texts = secretTextsIn(env, incoming.owner);
  if (references.size === 0 && texts.length === 0) return env;
  const pinned = referencesIn(environmentOf(incoming.previous ?? {}));
  const known = await findSecrets(change, {
    names: texts.map(({ secretName }) => secretName),
    ids: [...references.values()].map(({ secretId }) => secretId),
    numbers: [...pinned.values()].map(({ version }) => version).filter((version) => version !== "latest"),
  });
  requireReferences(known, references);
  const kept = new Map<string, SecretReference>();
  for (const text of texts) {
    const reference = referenceToSame(keys, known, text, pinned.get(text.entry));
    if (reference !== null) kept.set(text.entry, reference);
  }
  const stored = await storeTexts(
    change,
    keys,
    texts.filter(({ entry }) => !kept.has(entry)),
  );
  return { ...env, ...Object.fromEntries([...kept, ...stored]) };
}

function requirePublicNames(env: Environment): void {
  const shape = Object.keys(env).map((name) => findSecretShape(name)?.shape);
  if (shape.every((found) => found === undefined)) return;
  throw new Refusal("secret_in_text", `The name of an entry of "${environmentPath}" is itself a secret.`, {
    details: [{ path: environmentPath, message: "names are shown to everyone; a secret can only be a value" }],
    fix: { adapterConfig: { env: { MY_SECRET: "<the secret>" } } },
  });
}

function requireMayRefer({ caller, companyId }: Change, { boardDecides = false }: IncomingEnvironment): void {
  if (caller.kind !== "agent" || boardDecides) return;
  throw new Refusal("forbidden", "An agent may refer to the company's secrets only in what the board approves.", {
    details: [{ path: environmentPath, message: "holds a secret_ref" }],
    fix: { method: "POST", path: `/api/companies/${companyId}/agent-hires` },
  });
}

function secretTextsIn(env: Environment, owner: string): SecretText[] {
  const texts = [...textsIn(env)].filter(([name, value]) => looksSecret({ name, value, inEnv: true }));
  return texts.map(([entry, value]) => {
    requireStorable(`${environmentPath}.${entry}`, utf8Bytes(value));
    return { entry, secretName: `${agentSecretPrefix}${owner}/${entry}`, value };
  });
}

function requireStorable(path: string, size: number): void {
  if (size >= secretBytes.least && size <= secretBytes.most) return;
  const message =
    size < secretBytes.least
      ? `reads like a secret but has fewer than ${secretBytes.least} bytes: it cannot be told from ordinary text, ` +
        "so it could not be kept out of logs; use a longer one, or another name if it is none"
      : `reads like a secret but has more than ${secretBytes.most} bytes`;
  throw new Refusal("invalid_request", `"${path}" ${message}.`, { details: [{ path, message }] });
}

function requireReferences(known: readonly SecretWithValues[], references: ReadonlyMap<string, SecretReference>): void {
  const latest = new Map(known.map(({ secret }) => [secret.id, secret.latestVersion]));
  for (const [entry, { secretId, version }] of references) {
    const path = `${environmentPath}.${entry}`;
    const most = latest.get(secretId);
    if (most === undefined) throw new Missing("secret", secretId, `${path}.secretId`);
    if (version === "latest" || version <= most) continue;
    throw new Refusal("unknown_reference", `"${path}" refers to version ${version}; the latest is ${most}.`, {
      details: [{ path: `${path}.version`, message: `there are the versions 1 to ${most}` }],
    });
  }
}

/** A reference to the version that holds this text already, the presently pinned one first; null when none does. */
function referenceToSame(
  keys: Keys,
  known: readonly SecretWithValues[],
  text: SecretText,
  pinned: SecretReference | undefined,
): SecretReference | null {
  const own = known.find(({ secret }) => secret.name === text.secretName);
  if (own === undefined) return null;
  const { secret, values } = own;
  const present = pinned?.secretId === secret.id ? pinned.version : "latest";
  const version = [present, secret.latestVersion].find((number) => {
    const stored = number === "latest" ? undefined : values.get(number);
    return stored !== undefined && openVersion(keys, secret, stored) === text.value;
  });
  return version === undefined ? null : { type: "secret_ref", secretId: secret.id, version };
}

/** Stores the texts, each as a new secret or as a new version of the one it has. */
async function storeTexts(
  change: Change,
  keys: Keys,
  texts: readonly SecretText[],
): Promise<Map<string, SecretReference>> {
  if (texts.length === 0) return new Map();
  const bySecret = new Map(texts.map((text) => [text.secretName, text]));
  const rows = await insertOrRaise(
    change,
    [...bySecret.keys()].map((name) => newSecret(change, name, null)),
  );
  const stored = rows.map((row) => ({ row, text: bySecret.get(row.name) as SecretText }));
  await insertValues(
    change,
    stored.map(({ row, text }) => sealVersion(keys, row, text.value)),
  );
  return new Map(
    stored.map(({ row: { id, name, latestVersion }, text }) => {
      const action = latestVersion === 1 ? "secret.created" : "secret.rotated";
      change.record(action, id, { name, version: latestVersion });
      return [text.entry, { type: "secret_ref", secretId: id, version: latestVersion }];
    }),
  );
}
