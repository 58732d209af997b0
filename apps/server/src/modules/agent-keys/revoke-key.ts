import type { Change } from "../../platform/change.ts";
import { getAgent } from "../agents/index.ts";
import { revokeKeyRow } from "./store.ts";

/** Revokes a key: from the commit on, no server accepts it. */
export async function revokeKey(change: Change, agentId: string, keyId: string): Promise<void> {
  const agent = await getAgent(change, agentId);
  const { id, name, prefix } = await revokeKeyRow(change, agentId, keyId);
  change.record("agent_key.revoked", id, { agentId, agentName: agent.name, name, prefix: `svk_${prefix}` });
}
