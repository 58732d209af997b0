import type { Contract } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import { getAgent } from "../agents/index.ts";
import { createKey } from "./create-key.ts";
import { presentKey } from "./present.ts";
import { revokeKey } from "./revoke-key.ts";
import { getKey, listKeys } from "./store.ts";

/** Operations on agent keys. */
export const agentKeyHandlers: HandlersOf<Contract["agentKeys"]> = {
  list: async (scope, { params, query: { limit, cursor } }) => {
    const page = { agentId: params.agentId, limit: limit + 1, before: decodeCursor(cursor, isId) };
    const rows = await listKeys(scope, page);
    if (rows.length === 0) await getAgent(scope, params.agentId);
    return pageOf(rows, limit, (row) => row.id, presentKey);
  },
  create: async (change, { params, body }) => {
    const { key, token } = await createKey(change, params.agentId, body);
    return { ...presentKey(key), token };
  },
  get: async (scope, { params }) => presentKey(await getKey(scope, params.agentId, params.keyId)),
  revoke: async (change, { params }) => {
    await revokeKey(change, params.agentId, params.keyId);
    return undefined;
  },
};
