import { type Change, LostRace } from "../../platform/change.ts";
import { databaseFault } from "../../platform/database/index.ts";
import { queueSignal } from "../../platform/signals.ts";
import { type AgentRow, lockAgent, pauseAgent, resumeCovered } from "../agents/index.ts";
import { type ApprovalRow, lockOpenOverride, requestApproval, withdrawApproval } from "../approvals/index.ts";
import { raiseAttention, resolveAttention } from "../attention/index.ts";
import { centsOf, judge, largerLimitCents, lockSaid, noteSaid, type Spend } from "../budgets/index.ts";
import { getCompany } from "../companies/index.ts";
import { listWaiting } from "../runs/index.ts";
import { dollars, overrideOf } from "./override.ts";
import { shortHolders } from "./short-holders.ts";
import { lockCall } from "./store.ts";

/** What judging needs of the modules it does not know. */
export interface JudgeNeeds {
  /** Asks for the end of an agent's runs under way, because its budget is spent. */
  readonly endRuns: (change: Change, agentId: string, why: string) => Promise<void>;
}

interface Holder {
  /** null: the company. */
  readonly agent: AgentRow | null;
  readonly id: string;
  readonly name: string;
  /** 0 is no limit; who does not work needs none. */
  readonly limitCents: number;
}

/**
 * Judges an agent, or the company (null), by what it has spent this month: warns, pauses, asks the board, or lifts what
 * was done when that is not needed any more. Under its lock and from what is stored alone, so that whoever judges, and
 * however often, it comes to the same.
 */
export async function judgeHolder(change: Change, needs: JudgeNeeds, agentId: string | null): Promise<void> {
  const holder = await findHolder(change, agentId);
  const open = await lockOpenOverride(change, agentId);
  const said = await lockSaid(change, holder.id);
  const limitMicros = holder.limitCents * 10_000;
  const enoughCents = said.spentMicros < limitMicros ? await findEnough(change, agentId) : null;
  const verdict = judge({
    limitMicros,
    spentMicros: said.spentMicros,
    isWarned: said.warnedAt !== null,
    isAsked: said.askedCents === holder.limitCents,
    isShort: enoughCents !== null,
  });
  if (verdict.warns) await warn(change, holder, said);
  const isPaused = verdict.pauses && (await pause(change, needs, holder));
  const isNew = verdict.asks && open === null;
  if (isNew) await ask(change, holder, { said, enoughCents });
  if (isPaused || isNew) {
    await noteSaid(change, holder.id, { askedCents: holder.limitCents });
    await call(change, holder, said);
  }
  if (verdict.clears) await clear(change, holder, { open, said });
}

async function findHolder(change: Change, agentId: string | null): Promise<Holder> {
  if (agentId === null) {
    const { id, name, budgetMonthlyCents } = await getCompany(change);
    return { agent: null, id, name, limitCents: budgetMonthlyCents };
  }
  const agent = await lockAgent(change, agentId);
  const works = agent.status !== "terminated" && agent.status !== "pending_approval";
  return { agent, id: agent.id, name: agent.name, limitCents: works ? agent.budgetMonthlyCents : 0 };
}

/** The limit that a holder would need for a run that waits for it; null where none does. */
async function findEnough(change: Change, agentId: string | null): Promise<number | null> {
  const short = shortHolders(await listWaiting(change.db, change));
  return short.find((one) => one.agentId === agentId)?.enoughCents ?? null;
}

async function warn(change: Change, { agent, id, name, limitCents }: Holder, said: Spend): Promise<void> {
  await noteSaid(change, id, { warnedAt: change.now });
  const { spentMicros, month } = said;
  const details = { name, spent: dollars(centsOf(spentMicros)), budget: dollars(limitCents), month };
  change.record(agent === null ? "company.budget_warned" : "agent.budget_warned", id, details);
}

async function pause(change: Change, needs: JudgeNeeds, { agent }: Holder): Promise<boolean> {
  if (agent === null || !["idle", "running", "error"].includes(agent.status)) return false;
  await pauseAgent(change, { agentId: agent.id, ifMatch: null }, "budget", needs);
  return true;
}

async function ask(
  change: Change,
  { agent, id, name, limitCents }: Holder,
  { said, enoughCents }: { said: Spend; enoughCents: number | null },
): Promise<void> {
  const funds = { limitMicros: limitCents * 10_000, spentMicros: said.spentMicros, heldMicros: 0 };
  const asking = { agentId: agent?.id ?? null, name, budgetMonthlyCents: limitCents, ...said };
  const proposal = overrideOf(asking, { proposedBudgetMonthlyCents: enoughCents ?? largerLimitCents(funds) });
  const question = { ...proposal, type: "budget_override", agentId: agent === null ? null : id, issues: [] } as const;
  await requestApproval(change, question).catch((error: unknown) => {
    // Somebody has asked just now: begun again, it is found.
    if (databaseFault(error)?.constraint === "approvals_open_override") throw new LostRace("question about a budget");
    throw error;
  });
}

async function call(change: Change, { agent, id, name, limitCents }: Holder, said: Spend): Promise<void> {
  const amounts = `${dollars(centsOf(said.spentMicros))} of ${dollars(limitCents)}`;
  const message = `${name} has spent ${amounts} this month, and its runs wait: decide about a larger budget, or let them wait for the next month.`;
  const entityType = agent === null ? "company" : "agent";
  await raiseAttention(change, { kind: "budget", entityType, entityId: id, message });
}

async function clear(
  change: Change,
  { agent, id }: Holder,
  { open, said }: { open: ApprovalRow | null; said: Spend },
): Promise<void> {
  const isOwn = open !== null && open.requestedByAgentId === null && open.requestedByUserId === null;
  if (isOwn) {
    await withdrawApproval(change, open, "There is room in the budget again.");
    if (said.askedCents !== null) await noteSaid(change, id, { askedCents: null });
  }
  if (await lockCall(change, id)) await resolveAttention(change, { entityIds: [id], kinds: ["budget"] });
  // While it was judged, no runner could take a run of it.
  change.announce(queueSignal);
  if (agent !== null) await resumeCovered(change, { ...agent, spentMicros: said.spentMicros });
}
