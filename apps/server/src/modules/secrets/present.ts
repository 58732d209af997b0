import type { Secret } from "@roster/contract";
import type { Versioned } from "../../platform/http/index.ts";
import type { SecretRow } from "./store.ts";

/** A stored secret as the API shows it. */
export const presentSecret = (row: SecretRow): Secret => ({
  id: row.id,
  companyId: row.companyId,
  name: row.name,
  description: row.description,
  latestVersion: row.latestVersion,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** The same with the number of its ETag. */
export const versionedSecret = (row: SecretRow): Versioned<Secret> => ({
  version: row.version,
  body: presentSecret(row),
});
