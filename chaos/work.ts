import { setTimeout as pause } from "node:timers/promises";
import { type Client, Refused } from "@roster/client";
import type { Company, Worker } from "./company.ts";
import type { Random } from "./random.ts";

/** What the service has acknowledged; none of it may be missing at the end, and none may be there twice. */
export interface Acknowledged {
  /** Idempotency keys of wakes, with the agents they woke. */
  readonly wakes: Map<string, string>;
  readonly comments: Set<string>;
  readonly issues: Set<string>;
  /** Agents whose hire was approved. */
  readonly hires: Set<string>;
  /** Hires that were turned down. */
  readonly rejected: Set<string>;
  /** Costs that were reported, by the names of their models. */
  readonly costs: Set<string>;
}

/** The provider of all costs that are reported from outside of the programs. */
export const reporting = "clerk";

/** What somebody does next. */
interface Step {
  readonly client: Client;
  readonly random: Random;
  readonly company: Company;
  readonly worker: Worker;
  readonly told: Acknowledged;
  /** Of a company. */
  readonly mostIssues: number;
}

/** As often as they stand here. */
const deeds: readonly ((step: Step) => Promise<void>)[] = [
  wake,
  wake,
  wake,
  giveIssue,
  giveIssue,
  remark,
  remark,
  cancelSomething,
  hire,
  reportCost,
  pauseAgent,
  pauseCompany,
];

/** Does one thing after another until told to stop. Refusals are answers; what got no answer is tried again. */
export async function workOn(
  {
    companies,
    ...clerk
  }: Pick<Step, "client" | "random" | "mostIssues"> & {
    readonly companies: readonly Company[];
  },
  told: Acknowledged,
  over: AbortSignal,
): Promise<void> {
  const { random } = clerk;
  while (!over.aborted) {
    const company = random.pick(companies);
    const step = { ...clerk, company, worker: random.pick(company.workers), told };
    await random.pick(deeds)(step).catch(unlessRefused);
    await pause(random.between(20, 250), undefined, { signal: over }).catch(() => undefined);
  }
}

/** A refusal is an answer; anything else is a fault. */
export function unlessRefused(error: unknown): void {
  if (!(error instanceof Refused) || error.status >= 500) throw error;
}

async function wake({ client, random, company, worker, told }: Step): Promise<void> {
  const idempotencyKey = `wake ${random.next()}`;
  const issueId = random.next() < 0.5 && company.issueIds.length > 0 ? random.pick(company.issueIds) : null;
  const { run } = await client.runs.wakeup({ params: { agentId: worker.id }, body: { idempotencyKey, issueId } });
  if (run !== null) told.wakes.set(idempotencyKey, worker.id);
}

async function giveIssue(step: Step): Promise<void> {
  const { client, random, company, worker, told } = step;
  if (company.issueIds.length >= step.mostIssues) return await remark(step);
  const body = { title: `Issue ${random.next()}`, assigneeAgentId: worker.id };
  const { id } = await client.issues.create({ params: { companyId: company.id }, body });
  company.issueIds.push(id);
  told.issues.add(id);
}

async function remark({ client, random, company, told }: Step): Promise<void> {
  if (company.issueIds.length === 0) return;
  const body = `Remark ${random.next()}`;
  await client.issues.addComment({ params: { issueId: random.pick(company.issueIds) }, body: { body } });
  told.comments.add(body);
}

async function cancelSomething({ client, random, company }: Step): Promise<void> {
  const status = random.pick(["queued", "claimed", "running"] as const);
  const { items } = await client.runs.list({ params: { companyId: company.id }, query: { status, limit: 5 } });
  if (items.length > 0) await client.runs.cancel({ params: { runId: random.pick(items).id } });
}

async function hire({ client, random, company, told }: Step): Promise<void> {
  const body = { name: `Temp ${random.next()}`, adapterType: "process", adapterConfig: { command: "/bin/true" } };
  const { agent, approval } = await client.hires.request({ params: { companyId: company.id }, body });
  const decision = { params: { approvalId: approval?.id ?? "" }, body: {} };
  if (random.next() < 0.7) {
    await client.approvals.approve(decision);
    told.hires.add(agent.id);
  } else {
    await client.approvals.reject(decision);
    told.rejected.add(agent.id);
  }
}

async function reportCost({ client, random, company, worker, told }: Step): Promise<void> {
  const model = `report ${random.next()}`;
  const body = { agentId: worker.id, provider: reporting, model, costMicros: 1000 };
  await client.costs.report({ params: { companyId: company.id }, body });
  told.costs.add(model);
}

async function pauseAgent({ client, random, worker }: Step): Promise<void> {
  const params = { agentId: worker.id };
  await client.agents.pause({ params });
  await pause(random.between(100, 1000));
  await client.agents.resume({ params });
}

async function pauseCompany({ client, random, company }: Step): Promise<void> {
  if (random.next() < 0.7) return;
  const params = { companyId: company.id };
  await client.companies.pause({ params });
  await pause(random.between(100, 1000));
  await client.companies.resume({ params });
}
