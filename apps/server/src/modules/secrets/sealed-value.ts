import { type Keys, keysOfVersion, seal, unseal } from "../../platform/secrets/index.ts";
import type { SecretRow, SecretVersionRow } from "./store.ts";

// One purpose, one key.
const label = "secrets";

type SecretOfValue = Pick<SecretRow, "companyId" | "name">;

// A ciphertext that is copied to another company, name or version does not open there.
const bindingOf = ({ companyId, name }: SecretOfValue, number: number): string =>
  JSON.stringify([companyId, name, number]);

/** The latest version of a secret, encrypted, as it is stored. */
export const sealVersion = (keys: Keys, secret: SecretRow, value: string): SecretVersionRow => ({
  companyId: secret.companyId,
  secretId: secret.id,
  number: secret.latestVersion,
  sealed: seal(keys.derive(label), value, bindingOf(secret, secret.latestVersion)),
  keyVersion: keys.version,
  createdAt: secret.updatedAt,
});

/** What a value is bound to and sealed under. */
type Sealed = Pick<SecretVersionRow, "number" | "sealed" | "keyVersion">;

/** The value of a version; throws when it was sealed under another key or for another secret, or was altered. */
export function openVersion(keys: Keys, secret: SecretOfValue, { number, sealed, keyVersion }: Sealed): string {
  const own = keysOfVersion(keys, keyVersion);
  if (own === null)
    throw new Error(`a secret is sealed under version ${keyVersion} of the master key, which is not here`);
  return unseal(own.derive(label), sealed, bindingOf(secret, number));
}

/** The same value sealed under the present master key; throws like {@link openVersion}. */
export const sealAnew = (keys: Keys, secret: SecretOfValue, stored: Sealed): Buffer =>
  seal(keys.derive(label), openVersion(keys, secret, stored), bindingOf(secret, stored.number));
