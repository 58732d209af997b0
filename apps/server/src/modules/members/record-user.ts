import { instanceId } from "@roster/contract";
import type { Change } from "../../platform/change.ts";

/** Tells the log of the deployment that somebody has an account. The credential was a token: its holder is the actor. */
export function recordUser(change: Change, userId: string, details: { name: string; how: string }): void {
  const caller = { kind: "board" as const, userId };
  change.record("user.created", userId, details, { companyId: instanceId, caller });
}
