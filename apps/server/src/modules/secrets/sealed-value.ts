import { type Keys, seal, unseal } from "../../platform/secrets/index.ts";
import type { SecretRow, SecretVersionRow } from "./store.ts";

/** The first master key. Values are stored with its number, so that another key can come beside it. */
const presentKeyVersion = 1;

// A ciphertext that is copied to another company, name or version does not open there.
const bindingOf = ({ companyId, name }: SecretRow, number: number): string => JSON.stringify([companyId, name, number]);

/** The latest version of a secret, encrypted, as it is stored. */
export const sealVersion = (keys: Keys, secret: SecretRow, value: string): SecretVersionRow => ({
  companyId: secret.companyId,
  secretId: secret.id,
  number: secret.latestVersion,
  sealed: seal(keys.derive("secrets"), value, bindingOf(secret, secret.latestVersion)),
  keyVersion: presentKeyVersion,
  createdAt: secret.updatedAt,
});

/** The value of a version; throws when it was sealed under another key or for another secret, or was altered. */
export function openVersion(keys: Keys, secret: SecretRow, { number, sealed, keyVersion }: SecretVersionRow): string {
  if (keyVersion !== presentKeyVersion) throw new Error(`a secret was sealed under master key ${keyVersion}`);
  return unseal(keys.derive("secrets"), sealed, bindingOf(secret, number));
}
