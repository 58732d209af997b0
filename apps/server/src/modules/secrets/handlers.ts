import type { Contract } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { createSecret } from "./create-secret.ts";
import { presentSecret, versionedSecret } from "./present.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { getSecret, listSecrets } from "./store.ts";

/** Operations on secrets, sealed under `keys`. */
export const secretHandlers = (keys: Keys): HandlersOf<Contract["secrets"]> => ({
  list: async (scope, { query: { limit, cursor } }) => {
    const rows = await listSecrets(scope, { limit: limit + 1, before: decodeCursor(cursor, isId) });
    return pageOf(rows, limit, (row) => row.id, presentSecret);
  },
  create: async (change, { body }) => versionedSecret(await createSecret(change, keys, body)),
  get: async (scope, { params }) => versionedSecret(await getSecret(scope, params.secretId)),
  rotate: async (change, { params, body, ifMatch }) =>
    versionedSecret(await rotateSecret(change, keys, { secretId: params.secretId, ifMatch }, body.value)),
});
