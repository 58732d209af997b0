import { type ChangeHost, change } from "../../platform/change.ts";
import type { Scope } from "../../platform/scope.ts";
import { recordWake } from "../runs/index.ts";
import { listDueCompanies, listSleepers, windTimers } from "./store.ts";

/** Timers that are looked at in one round, and agents that are woken in one transaction. */
const mostAtOnce = 1000;
const mostTogether = 100;

/**
 * Wakes the agents whose timers are due, of any number of servers one for each. What was missed while no server was
 * there is one wake. Where none is due this is one statement. A company whose agents cannot be woken keeps no other.
 */
export async function fireTimers(host: ChangeHost, scope: Scope): Promise<void> {
  const faults: unknown[] = [];
  for (const companyId of await listDueCompanies(scope.db, mostAtOnce)) {
    await fireOf(host, { ...scope, companyId }).catch((error: unknown) => faults.push(error));
  }
  if (faults.length > 0) throw new AggregateError(faults, `timers of ${faults.length} companies could not fire`);
}

async function fireOf(host: ChangeHost, scope: Scope): Promise<void> {
  for (let wound = mostTogether; wound === mostTogether; ) {
    wound = await change(host, scope, async (opened) => {
      const agentIds = await windTimers(opened, mostTogether);
      for (const { agentId, intervalSec } of await listSleepers(opened, agentIds)) {
        await recordWake(opened, { agentId, source: "timer", reason: `Its timer, every ${intervalSec} seconds` });
      }
      return agentIds.length;
    });
  }
}
