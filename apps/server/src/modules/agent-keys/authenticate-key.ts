import { timingSafeEqual } from "node:crypto";
import type { Bounds } from "../../platform/bounds.ts";
import type { Reader } from "../../platform/database/index.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { AgentCaller } from "../../platform/scope.ts";
import { hashOf, prefixOf } from "../../platform/token.ts";
import { causeOfKey } from "../runs/index.ts";
import { findHolder } from "./store.ts";

/** For what a key is shown. */
export interface Showing {
  readonly token: string;
  readonly now: Date;
  /** How much one cause may lead to, where something is to be changed; null where not. */
  readonly bounds: Bounds | null;
}

/**
 * The agent that holds this token; where it changes something, with what led to that. Refuses with 401 a token that is
 * none, is revoked, expired or of a terminated agent. One statement.
 */
export async function authenticateKey(db: Reader, { token, now, bounds }: Showing): Promise<AgentCaller> {
  const prefix = prefixOf("svk", token);
  if (prefix === null) throw unusable();
  const [holder] = await findHolder(db, { prefix, mostRoots: bounds?.roots ?? null });
  if (holder === undefined || !timingSafeEqual(Buffer.from(holder.hash), Buffer.from(hashOf(token)))) throw unusable();
  if (holder.expiresAt !== null && holder.expiresAt <= now) {
    throw new Refusal("credential_expired", "This agent key has expired. Ask the board for a new one.");
  }
  if (holder.status === "terminated") throw new Refusal("unauthenticated", "The agent of this key is terminated.");
  const { agentId, companyId, name, status, permissions, companyStatus, lately } = holder;
  const cause = bounds === null || lately === null ? {} : { cause: causeOfKey(lately, bounds) };
  return { kind: "agent", agentId, companyId, name, status, permissions, companyStatus, ...cause };
}

const unusable = (): Refusal =>
  new Refusal("unauthenticated", "This credential is not valid: it is misspelt, was revoked or never existed.");
