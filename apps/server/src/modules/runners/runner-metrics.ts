import type { GaugeSource } from "../../platform/metrics/index.ts";
import { countAlive } from "./gauge-store.ts";

/** Runners of the deployment. */
export const runnerGauges: GaugeSource = {
  gauges: [{ name: "runners_alive", help: "Runners that have asked for work within a minute" }],
  read: async (db) => ({ runners_alive: [{ value: await countAlive(db) }] }),
};
