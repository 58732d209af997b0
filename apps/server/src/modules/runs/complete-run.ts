import { type Completion, json } from "@roster/contract";
import { scrubTexts } from "@roster/scrubber";
import type { Change } from "../../platform/change.ts";
import { digestOf } from "../../platform/digest.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import type { Prices } from "../costs/index.ts";
import type { SaidEvent } from "./append-events.ts";
import { noteProgress } from "./event-store.ts";
import { lockLease } from "./lease-store.ts";
import { secretsOfRun } from "./run-secrets.ts";
import { lockRun } from "./store.ts";
import { storeMetered } from "./store-metered.ts";

const microsPerUsd = 1_000_000;

/** What it takes to keep what an agent says of its run. */
export interface CompleteNeeds {
  readonly prices: Prices;
  readonly keys: Keys;
}

/**
 * Keeps how a run came out in the words of its own agent: as events of the run, so that whoever executes it hears of it,
 * also after having been away; its usage is booked. The same again changes nothing; a run comes out one way. Of the
 * secrets of the run nothing is kept.
 */
export async function completeRun(
  change: Change,
  { prices, keys }: CompleteNeeds,
  runId: string,
  said: Completion,
): Promise<void> {
  const locked = await lockRun(change, runId);
  const lease = await lockLease(change, runId);
  if (lease === null) throw new Refusal("run_ended", "The run of this credential is over, and the credential with it.");
  const completion = digestOf(said);
  if (lease.completion === completion) return;
  if (lease.completion !== null) {
    throw new Refusal("wrong_state", "It was said already how this run came out, and otherwise: that stays.", {
      details: [{ path: "status", message: "the run is completed" }],
    });
  }
  const events = scrubTexts(eventsOf(said), await secretsOfRun(change, keys, runId));
  await storeMetered(change, prices, { locked, lease }, events);
  await noteProgress(change.upkeep, { companyId: change.companyId, runId }, { completion });
  const { id: agentId, name: agentName } = locked.agent;
  change.record("run.completed", runId, { agentId, agentName, status: said.status }, { cause: locked.run });
  change.announce(runId);
}

/** The last of them says how it came out: who has heard of it has heard of all. Pure. */
function eventsOf({ status, message, result, usage, session }: Completion): SaidEvent[] {
  const used = usage.map(({ costUsd, ...data }) => ({
    ...data,
    ...(costUsd !== undefined && { costMicros: Math.round(costUsd * microsPerUsd) }),
  }));
  const outcome = {
    status,
    isError: status === "failed",
    ...(message !== undefined && { text: message }),
    ...(result !== undefined && { result }),
  };
  return [
    ...used.map((data) => said("usage", data)),
    ...(session === undefined ? [] : [said("session", session)]),
    said("result", outcome),
  ];
}

const said = (kind: SaidEvent["kind"], data: object): SaidEvent => ({ kind, stream: null, data: json.parse(data) });
