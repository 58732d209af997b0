import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Entry } from "../activity/index.ts";
import type { Database } from "../database/index.ts";
import { addDatabaseMetrics } from "./database-metrics.ts";
import { createGauges, type GaugeSource } from "./gauges.ts";
import { createHttpMeter, type HttpMeter } from "./http-metrics.ts";
import { metricName } from "./metric-name.ts";

/** Counts entries of the log by what a module reads in them. */
export interface EntryCount {
  /** Without the prefix that all of ours have. */
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** The word under which an entry counts, one of a few; null where it does not. */
  readonly wordOf: (entry: Entry) => string | null;
}

/** What is counted and read. */
export interface MeterOptions {
  readonly database: Database;
  readonly version: string;
  readonly mode: string;
  readonly gauges: readonly GaugeSource[];
  readonly entryCounts: readonly EntryCount[];
}

/** What one server knows of how it fares. */
export interface Meter {
  readonly http: HttpMeter;
  /** Counts entries that stand in the log now. */
  committed(entries: readonly Entry[]): void;
  /** Everything in the text form of Prometheus. */
  text(): Promise<string>;
}

/** A meter of its own for each server. */
export function createMeter({ database, version, mode, gauges: sources, entryCounts }: MeterOptions): Meter {
  const registry = new Registry();
  const registers = [registry];
  const info = new Gauge({
    name: metricName("info"),
    help: "1; which version runs in which mode",
    labelNames: ["version", "mode"],
    registers,
  });
  info.set({ version, mode }, 1);
  const up = new Gauge({
    name: metricName("database_up"),
    help: "1 where the database answers, else 0: what is read from it is missing then",
    registers,
  });
  const http = createHttpMeter(registry);
  addDatabaseMetrics(registry, database);
  const gauges = createGauges(registry, database, sources);
  const committed = countEntries(registry, entryCounts);
  let hasProcessMetrics = false;
  return {
    http,
    committed,
    async text() {
      // What they look with costs a little all the time: who never asks does not pay.
      if (!hasProcessMetrics) collectDefaultMetrics({ register: registry });
      hasProcessMetrics = true;
      up.set((await gauges.refresh()) ? 1 : 0);
      return registry.metrics();
    },
  };
}

function countEntries(registry: Registry, counts: readonly EntryCount[]): Meter["committed"] {
  const counters = [every, ...counts].map(({ name, help, label, wordOf }) => {
    const counter = new Counter({ name: metricName(name), help, labelNames: [label], registers: [registry] });
    return (entry: Entry): void => {
      const word = wordOf(entry);
      if (word !== null) counter.inc({ [label]: word });
    };
  });
  return (entries) => {
    for (const entry of entries) for (const note of counters) note(entry);
  };
}

const every: EntryCount = {
  name: "activity_entries_total",
  help: "Entries that this server added to the log, by action",
  label: "action",
  wordOf: ({ action }) => action,
};
