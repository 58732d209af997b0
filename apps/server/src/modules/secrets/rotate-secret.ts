import type { Change } from "../../platform/change.ts";
import { requireVersion } from "../../platform/edit.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { sealVersion } from "./sealed-value.ts";
import { insertValues, lockSecret, raiseLatest, type SecretRow } from "./store.ts";

/** Gives a secret another value. The old ones stay, for the revisions that pin them. */
export async function rotateSecret(
  change: Change,
  keys: Keys,
  target: { secretId: string; ifMatch: number | null },
  value: string,
): Promise<SecretRow> {
  const row = await lockSecret(change, target.secretId);
  requireVersion(row.version, target.ifMatch);
  const rotated = await raiseLatest(change, row);
  await insertValues(change, [sealVersion(keys, rotated, value)]);
  change.record("secret.rotated", row.id, { name: row.name, version: rotated.latestVersion });
  return rotated;
}
