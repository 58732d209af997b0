import type { Contract } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import { dismissAttention } from "./dismiss-attention.ts";
import { presentAttention } from "./present.ts";
import { listAttention } from "./store.ts";

/** Operations on what calls for attention. */
export const attentionHandlers: HandlersOf<Contract["attention"]> = {
  list: async (scope, { query: { limit, cursor, open, kind, entityId } }) => {
    const page = { limit: limit + 1, before: decodeCursor(cursor, isId), isOpen: open === "true", kind, entityId };
    return pageOf(await listAttention(scope, page), limit, (row) => row.id, presentAttention);
  },
  dismiss: async (change, { params }) => presentAttention(await dismissAttention(change, params.attentionId)),
};
