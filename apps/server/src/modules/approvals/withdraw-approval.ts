import type { Change } from "../../platform/change.ts";
import { settle } from "./decide-approval.ts";
import type { ApprovalRow } from "./store.ts";

/** Takes back a locked question that nobody needs answered any more. */
export async function withdrawApproval(change: Change, approval: ApprovalRow, note: string): Promise<void> {
  await settle(change, approval, { verdict: "cancel", status: "cancelled", note });
}
