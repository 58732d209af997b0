import { Counter, Gauge, type Registry } from "prom-client";
import type { Database, SetUse } from "../database/index.ts";
import { metricName } from "./metric-name.ts";

type Source = Pick<Database, "use" | "statements">;

/** What this process does with its connections to the database, in a registry. */
export function addDatabaseMetrics(registry: Registry, database: Source): void {
  const bySet = (value: (use: SetUse) => number) => {
    const { read, write } = database.use();
    return [
      { labels: { set: "read" }, value: value(read) },
      { labels: { set: "write" }, value: value(write) },
    ];
  };
  const one = () => [{ labels: {}, value: database.statements.count }];
  gauge(registry, "database_connections_open", "Connections to the database, by set", () => bySet(({ open }) => open));
  gauge(registry, "database_connections_in_use", "Connections in use, by set", () => bySet(({ lent }) => lent));
  gauge(registry, "database_connections_waited_for", "Who waits for a connection, by set", () =>
    bySet(({ waiting }) => waiting),
  );
  counter(registry, "database_wait_seconds_total", "Time that was waited for connections, by set", () =>
    bySet(({ waitedSec }) => waitedSec),
  );
  counter(registry, "database_waits_in_vain_total", "How often no connection came free in time, by set", () =>
    bySet(({ refused }) => refused),
  );
  counter(registry, "database_statements_total", "Statements sent, BEGIN and COMMIT included", one);
}

type Values = () => { readonly labels: { set?: string }; readonly value: number }[];

function gauge(registry: Registry, name: string, help: string, values: Values): Gauge {
  return new Gauge({
    name: metricName(name),
    help,
    labelNames: ["set"],
    registers: [registry],
    collect() {
      for (const { labels, value } of values()) this.set(labels, value);
    },
  });
}

function counter(registry: Registry, name: string, help: string, values: Values): Counter {
  return new Counter({
    name: metricName(name),
    help,
    labelNames: ["set"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, value } of values()) this.inc(labels, value);
    },
  });
}
