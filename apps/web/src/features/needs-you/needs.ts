import type { Approval, Attention } from "@roster/client";
import { useAsk } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";

/** What waits for a person. */
export interface Needs {
  readonly approvals: readonly Approval[];
  readonly attention: readonly Attention[];
  readonly count: number;
  /** True until it was answered once. */
  readonly isPending: boolean;
  readonly error: unknown;
}

/** What waits for a person in this company. */
export function useNeeds(): Needs {
  const { id } = useCompany();
  const params = { companyId: id };
  const asked = useAsk("approvals.list", { params, query: { status: "pending", limit: 100 } });
  const called = useAsk("attention.list", { params, query: { limit: 100 } });
  const approvals = asked.data?.items ?? [];
  const attention = (called.data?.items ?? []).filter(({ nextActor }) => nextActor === "board");
  return {
    approvals,
    attention,
    count: approvals.length + attention.length,
    isPending: asked.isPending || called.isPending,
    error: asked.error ?? called.error,
  };
}
