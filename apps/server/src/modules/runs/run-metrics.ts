import { type ActionDetails, waitingReasons } from "@roster/contract";
import type { EntryCount, GaugeSource, Sample } from "../../platform/metrics/index.ts";
import { isOverBudget, waitingFor } from "./admission.ts";
import { countOpen, listStandings } from "./gauge-store.ts";

/** Of so many queued runs it is looked up what they wait for. */
const mostStandings = 1000;
/** What the others wait for. */
const notLookedUp = "unknown";

/** Runs that are not over, in all companies. */
export const runGauges: GaugeSource = {
  gauges: [
    { name: "runs_queued", help: "Queued runs, by what they wait for", label: "waiting_for" },
    { name: "runs_under_way", help: "Runs that a runner has, by status", label: "status" },
    { name: "runs_oldest_queued_seconds", help: "How long the oldest queued run has waited; 0 where none is" },
    { name: "wakes_waiting", help: "Wakes whose run is queued" },
    { name: "leases", help: "Leases of runs under way" },
  ],
  async read(db) {
    const [open, standings] = await Promise.all([countOpen(db), listStandings(db, mostStandings)]);
    const reasons = standings.map((row) => waitingFor({ ...row, isOverBudget: isOverBudget(row) }));
    return {
      runs_queued: samplesOf(reasons, Math.max(open.queued - reasons.length, 0)),
      runs_under_way: [
        { word: "claimed", value: open.claimed },
        { word: "running", value: open.running },
      ],
      runs_oldest_queued_seconds: [{ value: open.oldestQueuedSec }],
      wakes_waiting: [{ value: open.wakes }],
      leases: [{ value: open.leases }],
    };
  },
};

function samplesOf(reasons: readonly string[], others: number): Sample[] {
  const counted = waitingReasons.map((word) => ({ word, value: reasons.filter((reason) => reason === word).length }));
  return [...counted, { word: notLookedUp, value: others }];
}

/** Runs that have ended, by cause. */
export const settlementCount: EntryCount = {
  name: "runs_settled_total",
  help: "Runs that this server settled, by cause",
  label: "cause",
  wordOf: ({ action, details }) =>
    action === "run.finished" ? (details as ActionDetails<"run.finished">).cause : null,
};
