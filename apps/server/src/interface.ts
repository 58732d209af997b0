import { adapterSpecs } from "@roster/adapters/specs";
import type { Health } from "@roster/contract";
import type { Egress } from "@roster/egress";
import { type Accounts, authHandlers, sessionLocatable } from "./modules/accounts/index.ts";
import { activityHandlers } from "./modules/activity/index.ts";
import { agentKeyHandlers, agentKeyLocatable } from "./modules/agent-keys/index.ts";
import {
  agentHandlers,
  agentLocatable,
  agentRevisionLocatable,
  configurationHandlers,
} from "./modules/agents/index.ts";
import {
  approvalContext,
  approvalHandlers,
  approvalLocatable,
  boardRequestEffects,
  configChangeEffects,
  findOpenHire,
  findOpenOverride,
  withdrawHire,
} from "./modules/approvals/index.ts";
import { attentionHandlers, attentionLocatable } from "./modules/attention/index.ts";
import { budgetOverrideEffects, type JudgeNeeds } from "./modules/budget-overrides/index.ts";
import { companyHandlers, companyLocatable } from "./modules/companies/index.ts";
import { costHandlers, type Prices } from "./modules/costs/index.ts";
import { discoveryHandlers } from "./modules/discovery/index.ts";
import { runnerHandlers } from "./modules/dispatch/index.ts";
import { fleetHandlers, instanceHandlers } from "./modules/fleet/index.ts";
import { healthHandlers } from "./modules/health/index.ts";
import { hireEffects, hireHandlers, sourcesOf } from "./modules/hires/index.ts";
import { getReferredIssues, issueHandlers, issueLocatable, releaseCheckouts } from "./modules/issues/index.ts";
import {
  claimInstance,
  invitationHandlers,
  invitationLocatable,
  memberHandlers,
  memberLocatable,
} from "./modules/members/index.ts";
import { runnerGauges, runnerLocatable } from "./modules/runners/index.ts";
import {
  endRunsUnderWay,
  getReferredRun,
  isAtWork,
  meterOf,
  runGauges,
  runHandlers,
  runLocatable,
  type SettleNeeds,
  settlementCount,
  settleOpenRuns,
} from "./modules/runs/index.ts";
import { secretHandlers, secretLocatable } from "./modules/secrets/index.ts";
import { skillHandlers, skillLocatable } from "./modules/skills/index.ts";
import type { Bounds } from "./platform/bounds.ts";
import type { Change } from "./platform/change.ts";
import type { Database } from "./platform/database/index.ts";
import type { Handlers } from "./platform/http/index.ts";
import type { Locatable } from "./platform/locate.ts";
import type { Log } from "./platform/log.ts";
import type { EntryCount, GaugeSource, Meter } from "./platform/metrics/index.ts";
import type { Keys } from "./platform/secrets/index.ts";
import type { Signals } from "./platform/signals.ts";
import { createTurns } from "./platform/turns.ts";

/** What the modules need of the process they run in. */
export interface Surroundings {
  readonly database: Database;
  readonly keys: Keys;
  readonly version: string;
  readonly log: Log;
  readonly signals: Signals;
  readonly mode: Health["mode"];
  readonly accounts: Accounts;
  /** Where people and agents reach this server; known once it listens. */
  readonly address: () => string;
  /** The way out to addresses that people and agents name. */
  readonly egress: Egress;
  /** Folders below which the board may import skills in any mode. */
  readonly skillRoots: readonly string[];
  /** What usage costs. */
  readonly prices: Prices;
  /** How much one cause may lead to. */
  readonly bounds?: Bounds | undefined;
  readonly meter: Pick<Meter, "committed" | "text">;
}

/** What ends runs, for the modules that stand below them. */
export const settlingWith = (prices: Prices): SettleNeeds => ({ releaseCheckouts, prices });
const stopsAgent = (settling: SettleNeeds) => ({
  endRuns: (change: Change, agentId: string, why: string) => endRunsUnderWay(change, { agentId, why }),
  settleRuns: (change: Change, agentId: string, why: string) => settleOpenRuns(change, settling, { agentId, why }),
});
const stopsCompany = (settling: SettleNeeds) => ({
  endRuns: (change: Change, why: string) => endRunsUnderWay(change, { why }),
  settleRuns: (change: Change, why: string) => settleOpenRuns(change, settling, { why }),
});

/** What stops an agent whose budget is spent. */
export const judging: JudgeNeeds = {
  endRuns: (change, agentId, why) => endRunsUnderWay(change, { agentId, why, ending: "budget_exhausted" }),
};

/** How many imports fetch at once: each may hold a hundred MiB for a while. */
const mostFetches = 4;

/** Every operation of the contract with the module that does it. */
export function createHandlers(surroundings: Surroundings): Handlers {
  const { database, keys, version, log, signals, address, prices, egress, skillRoots, mode, accounts } = surroundings;
  const pingDatabase = async (): Promise<void> => {
    await database.reader.execute("select 1");
  };
  const settling = settlingWith(prices);
  const { bounds, meter } = surroundings;
  const host = { database, notifier: signals, bounds, committed: meter.committed };
  return {
    service: healthHandlers({ version, mode, pingDatabase, metrics: meter.text }),
    discovery: discoveryHandlers(() => ({ baseUrl: address(), specs: adapterSpecs })),
    auth: authHandlers({ accounts, claim: (scope, wish) => claimInstance({ host, accounts, keys }, scope, wish) }),
    members: memberHandlers,
    invitations: invitationHandlers({ host, accounts }),
    companies: companyHandlers(stopsCompany(settling)),
    agents: agentHandlers({ keys, withdrawHire, requireSources: sourcesOf, isAtWork, ...stopsAgent(settling) }),
    configurations: configurationHandlers,
    agentKeys: agentKeyHandlers,
    secrets: secretHandlers(keys),
    skills: skillHandlers({
      readsFolders: mode === "local_trusted",
      skillRoots,
      egress,
      turns: createTurns(mostFetches),
    }),
    issues: issueHandlers,
    approvals: approvalHandlers({
      hire_agent: hireEffects(keys),
      config_change: configChangeEffects(keys),
      budget_override: budgetOverrideEffects(keys),
      board_request: boardRequestEffects,
    }),
    hires: hireHandlers(keys),
    runs: runHandlers({ keys, signals, findOpenOverride, findOpenHire, ...settling }),
    runners: runnerHandlers({
      host,
      keys,
      signals,
      address,
      approvalContext,
      ...settling,
    }),
    fleet: fleetHandlers,
    instance: instanceHandlers,
    costs: costHandlers({
      prices,
      runOf: getReferredRun,
      meterOf,
      requireIssue: (scope, issueId, path) => getReferredIssues(scope, new Map([[issueId.toLowerCase(), path]])),
    }),
    attention: attentionHandlers,
    activity: activityHandlers({ db: database.reader, signals, log }),
  };
}

/** What the modules read from the database for the metrics. */
export const gaugeSources: readonly GaugeSource[] = [runGauges, runnerGauges];

/** What the modules count of the log for the metrics. */
export const entryCounts: readonly EntryCount[] = [settlementCount];

/** Every kind of entity that a path or a body can name. */
export const locatables: readonly Locatable[] = [
  companyLocatable,
  sessionLocatable,
  memberLocatable,
  invitationLocatable,
  agentLocatable,
  agentRevisionLocatable,
  agentKeyLocatable,
  secretLocatable,
  skillLocatable,
  issueLocatable,
  approvalLocatable,
  runLocatable,
  runnerLocatable,
  attentionLocatable,
];
