import { and, eq, inArray, isNull, type SQL } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import type { ApprovalRow } from "./store.ts";
import { approvals } from "./table.ts";

/** There is at most one: an index sees to it. */
const isOpen = ({ companyId }: Scope, agentId: string | null): SQL | undefined =>
  and(
    eq(approvals.companyId, companyId),
    eq(approvals.type, "budget_override"),
    inArray(approvals.status, ["pending", "revision_requested"]),
    agentId === null ? isNull(approvals.agentId) : eq(approvals.agentId, agentId),
  );

/** The open question about the budget of an agent, or of the company (null), by its id; null when there is none. */
export async function findOpenOverride(scope: Scope, agentId: string | null): Promise<string | null> {
  const [row] = await scope.db.select({ id: approvals.id }).from(approvals).where(isOpen(scope, agentId));
  return row?.id ?? null;
}

/** The same, whole, locked until the change ends. Its agent is locked before. */
export async function lockOpenOverride(change: Change, agentId: string | null): Promise<ApprovalRow | null> {
  const [row] = await change.db.select().from(approvals).where(isOpen(change, agentId)).for("update");
  return row ?? null;
}
