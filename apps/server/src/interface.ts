import { adapterSpecs } from "@roster/adapters/specs";
import { activityHandlers } from "./modules/activity/index.ts";
import { agentKeyHandlers, agentKeyLocatable } from "./modules/agent-keys/index.ts";
import {
  agentHandlers,
  agentLocatable,
  agentRevisionLocatable,
  configurationHandlers,
} from "./modules/agents/index.ts";
import { approvalContext, approvalHandlers, approvalLocatable, withdrawHire } from "./modules/approvals/index.ts";
import { companyHandlers, companyLocatable } from "./modules/companies/index.ts";
import { discoveryHandlers } from "./modules/discovery/index.ts";
import { runnerHandlers } from "./modules/dispatch/index.ts";
import { healthHandlers } from "./modules/health/index.ts";
import { hireEffects, hireHandlers, sourcesOf } from "./modules/hires/index.ts";
import { issueHandlers, issueLocatable, releaseCheckouts } from "./modules/issues/index.ts";
import { endRunsUnderWay, runHandlers, runLocatable, settleOpenRuns } from "./modules/runs/index.ts";
import { secretHandlers, secretLocatable } from "./modules/secrets/index.ts";
import { skillHandlers, skillLocatable } from "./modules/skills/index.ts";
import type { Change } from "./platform/change.ts";
import type { Database } from "./platform/database/index.ts";
import type { Handlers } from "./platform/http/index.ts";
import type { Locatable } from "./platform/locate.ts";
import type { Keys } from "./platform/secrets/index.ts";
import type { Signals } from "./platform/signals.ts";

/** What the modules need of the process they run in. */
export interface Surroundings {
  readonly database: Database;
  readonly keys: Keys;
  readonly version: string;
  readonly signals: Signals;
  /** Where people and agents reach this server; known once it listens. */
  readonly address: () => string;
}

/** What ends runs, for the modules that stand below them. */
export const settling = { releaseCheckouts };
const stopsAgent = {
  endRuns: (change: Change, agentId: string, why: string) => endRunsUnderWay(change, { agentId, why }),
  settleRuns: (change: Change, agentId: string, why: string) => settleOpenRuns(change, settling, { agentId, why }),
};
const stopsCompany = {
  endRuns: (change: Change, why: string) => endRunsUnderWay(change, { why }),
  settleRuns: (change: Change, why: string) => settleOpenRuns(change, settling, { why }),
};

/** Every operation of the contract with the module that does it. */
export function createHandlers({ database, keys, version, signals, address }: Surroundings): Handlers {
  const pingDatabase = async (): Promise<void> => {
    await database.reader.execute("select 1");
  };
  return {
    service: healthHandlers({ version, mode: "local_trusted", pingDatabase }),
    discovery: discoveryHandlers(() => ({ baseUrl: address(), specs: adapterSpecs })),
    companies: companyHandlers(stopsCompany),
    agents: agentHandlers({ keys, withdrawHire, requireSources: sourcesOf, ...stopsAgent }),
    configurations: configurationHandlers,
    agentKeys: agentKeyHandlers,
    secrets: secretHandlers(keys),
    skills: skillHandlers({ readsFolders: true }),
    issues: issueHandlers,
    approvals: approvalHandlers({ hire_agent: hireEffects(keys) }),
    hires: hireHandlers(keys),
    runs: runHandlers({ signals, ...settling }),
    runners: runnerHandlers({
      host: { database, notifier: signals },
      keys,
      signals,
      address,
      approvalContext,
      ...settling,
    }),
    activity: activityHandlers,
  };
}

/** Every kind of entity that a path or a body can name. */
export const locatables: readonly Locatable[] = [
  companyLocatable,
  agentLocatable,
  agentRevisionLocatable,
  agentKeyLocatable,
  secretLocatable,
  skillLocatable,
  issueLocatable,
  approvalLocatable,
  runLocatable,
];
