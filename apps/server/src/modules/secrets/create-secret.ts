import type { Body, contract } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { sealVersion } from "./sealed-value.ts";
import { insertSecret, insertValues, type SecretRow } from "./store.ts";

type Wish = Body<typeof contract.secrets.create>;

/** Stores a secret under a new name. */
export async function createSecret(change: Change, keys: Keys, { name, description, value }: Wish): Promise<SecretRow> {
  const row = newSecret(change, name, description);
  if (!(await insertSecret(change, row))) {
    throw new Refusal("already_exists", "The company has a secret of this name; rotate it, or choose another name.", {
      details: [{ path: "name", message: "is taken" }],
      fix: { method: "POST", path: "/api/secrets/:secretId/rotate" },
    });
  }
  await insertValues(change, [sealVersion(keys, row, value)]);
  change.record("secret.created", row.id, { name, version: row.latestVersion });
  return row;
}

/** A secret in its first version. */
export const newSecret = (change: Change, name: string, description: string | null): SecretRow => ({
  companyId: change.companyId,
  id: newId(),
  name,
  description,
  latestVersion: 1,
  version: 1,
  createdAt: change.now,
  updatedAt: change.now,
});
