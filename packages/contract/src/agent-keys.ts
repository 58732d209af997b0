import { z } from "zod";
import { id, name, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";

/** What can be told of a key after its creation. */
export const agentKey = z
  .object({
    id,
    agentId: id,
    name: z.string(),
    prefix: z.string().describe("Public first part of the token"),
    createdAt: time,
    expiresAt: time.nullable(),
  })
  .meta({ id: "AgentKey" });
/** A key as lists show it. */
export type AgentKey = z.infer<typeof agentKey>;

const createdKey = agentKey.extend({
  token: z
    .string()
    .nullable()
    .describe("The key itself, shown this once; null when a late replay can no longer show it"),
});
/** A key as its creation shows it. */
export type CreatedAgentKey = z.infer<typeof createdKey>;

/** Operations on the long-lived credentials of an agent. */
export const agentKeys = operations({
  list: {
    method: "GET",
    path: "/api/agents/:agentId/keys",
    summary: "Usable keys of an agent",
    may: "key.manage",
    query: pageQuery({}),
    answer: { kind: "page", schema: agentKey },
  },
  create: {
    method: "POST",
    path: "/api/agents/:agentId/keys",
    summary: "Create a long-lived key; its token is shown this once",
    may: "key.manage",
    body: z.strictObject({ name: name.default("key"), expiresAt: z.iso.datetime().nullable().default(null) }),
    answer: { kind: "created", at: "/api/agents/:agentId/keys/:id", schema: createdKey },
    refusals: ["agent_pending_approval", "agent_terminated"],
    revealsOnce: "token",
  },
  get: {
    method: "GET",
    path: "/api/agents/:agentId/keys/:keyId",
    summary: "Read what can be told of a usable key",
    may: "key.manage",
    answer: { kind: "record", schema: agentKey },
  },
  revoke: {
    method: "DELETE",
    path: "/api/agents/:agentId/keys/:keyId",
    summary: "Revoke a key at once",
    may: "key.manage",
    answer: { kind: "nothing" },
  },
});
