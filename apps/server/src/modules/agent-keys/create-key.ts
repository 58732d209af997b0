import type { Body, contract } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { Refusal } from "../../platform/refusal.ts";
import { newToken } from "../../platform/token.ts";
import { type AgentRow, lockAgent } from "../agents/index.ts";
import { getCompany } from "../companies/index.ts";
import { type AgentKeyRow, insertKey } from "./store.ts";

type Wish = Body<typeof contract.agentKeys.create>;

/** Creates a key. Its token exists in the answer alone. */
export async function createKey(
  change: Change,
  agentId: string,
  wish: Wish,
): Promise<{ key: AgentKeyRow; token: string }> {
  const agent = await lockAgent(change, agentId, "share");
  requireMayHoldKeys(agent);
  if (change.caller.kind === "agent") await requireKeysByAgents(change);
  const expiresAt = wish.expiresAt === null ? null : new Date(wish.expiresAt);
  if (expiresAt !== null && expiresAt <= change.now) {
    throw new Refusal("invalid_request", "The key would have expired before it was made.", {
      details: [{ path: "expiresAt", message: "must be in the future" }],
    });
  }
  const { token, prefix, hash } = newToken("svk");
  const key = {
    companyId: change.companyId,
    id: newId(),
    agentId,
    name: wish.name,
    prefix,
    hash,
    createdAt: change.now,
    expiresAt,
    revokedAt: null,
  };
  await insertKey(change, key);
  change.record("agent_key.created", key.id, {
    agentId,
    agentName: agent.name,
    name: key.name,
    prefix: `svk_${prefix}`,
  });
  return { key, token };
}

function requireMayHoldKeys({ status }: AgentRow): void {
  if (status === "pending_approval") {
    throw new Refusal(
      "agent_pending_approval",
      "This agent waits for approval; it can hold no key until it is approved.",
    );
  }
  if (status === "terminated") throw new Refusal("agent_terminated", "This agent is terminated; it can hold no key.");
}

async function requireKeysByAgents(change: Change): Promise<void> {
  if ((await getCompany(change)).agentsMayCreateKeys) return;
  throw new Refusal("forbidden", "In this company only the board creates keys (setting agentsMayCreateKeys).");
}
