import { timingSafeEqual } from "node:crypto";
import type { Reader } from "../../platform/database/index.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { AgentCaller } from "../../platform/scope.ts";
import { hashOf, prefixOf } from "../../platform/token.ts";
import { findHolder } from "./store.ts";

/** The agent that holds this token; refuses with 401 a token that is none, is revoked, expired or of a terminated agent. */
export async function authenticateKey(db: Reader, token: string, now: Date): Promise<AgentCaller> {
  const prefix = prefixOf("svk", token);
  if (prefix === null) throw unusable();
  const [holder] = await findHolder(db, { prefix });
  if (holder === undefined || !timingSafeEqual(Buffer.from(holder.hash), Buffer.from(hashOf(token)))) throw unusable();
  if (holder.expiresAt !== null && holder.expiresAt <= now) {
    throw new Refusal("credential_expired", "This agent key has expired. Ask the board for a new one.");
  }
  if (holder.status === "terminated") throw new Refusal("unauthenticated", "The agent of this key is terminated.");
  const { agentId, companyId, name, status, permissions, companyStatus } = holder;
  return { kind: "agent", agentId, companyId, name, status, permissions, companyStatus };
}

const unusable = (): Refusal =>
  new Refusal("unauthenticated", "This credential is not valid: it is misspelt, was revoked or never existed.");
