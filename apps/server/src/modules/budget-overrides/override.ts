import type { JsonObject } from "@roster/contract";
import type { Proposal } from "../approvals/index.ts";
import { centsOf, type Spend } from "../budgets/index.ts";

/** What the board is asked to decide. */
export interface OverridePayload {
  /** Whose budget; null: the company's. */
  readonly agentId: string | null;
  readonly name: string;
  readonly budgetMonthlyCents: number;
  readonly proposedBudgetMonthlyCents: number;
  readonly spentMonthlyCents: number;
  readonly month: string;
  readonly reason?: string;
}

/** Whose budget, and how it stands. */
export interface Asking
  extends Pick<OverridePayload, "agentId" | "name" | "budgetMonthlyCents">,
    Pick<Spend, "month" | "spentMicros"> {}

/** The question whether a holder may spend so much from now on. Pure. */
export function overrideOf(
  { agentId, name, budgetMonthlyCents, spentMicros, month }: Asking,
  { proposedBudgetMonthlyCents, reason }: { proposedBudgetMonthlyCents: number; reason?: string | undefined },
): Proposal {
  const holder = { agentId, name, budgetMonthlyCents, proposedBudgetMonthlyCents };
  const payload: JsonObject = { ...holder, spentMonthlyCents: centsOf(spentMicros), month };
  const whose = agentId === null ? `the company ${name}` : name;
  const subject = `raise the monthly budget of ${whose} from ${dollars(budgetMonthlyCents)} to ${dollars(proposedBudgetMonthlyCents)}`;
  return { payload: reason === undefined ? payload : { ...payload, reason }, subject };
}

/** Cents as people read them. Pure. */
export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
