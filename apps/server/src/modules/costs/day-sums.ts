import type { CostEventRow, DayRow } from "./store.ts";

/**
 * What these events add to the sums of their day, one row for each that there is: the company's first, in one order for
 * everybody who adds. Pure.
 */
export function daySums(events: readonly CostEventRow[]): DayRow[] {
  const sums = new Map<string, DayRow>();
  for (const event of events) {
    for (const row of rowsOf(event)) {
      const key = JSON.stringify([row.subject, row.day, row.provider, row.name]);
      sums.set(key, added(sums.get(key), row));
    }
  }
  return [...sums]
    .sort(([one], [other]) => Number(isCompany(other)) - Number(isCompany(one)) || (one < other ? -1 : 1))
    .map(([, row]) => row);
}

const isCompany = (key: string): boolean => key.startsWith('["company"');

function rowsOf(event: CostEventRow): DayRow[] {
  const { companyId, agentId, provider, model, inputTokens, cachedInputTokens, outputTokens, costMicros } = event;
  const row = {
    companyId,
    day: event.createdAt.toISOString().slice(0, 10),
    inputTokens,
    cachedInputTokens,
    outputTokens,
    costMicros,
    unpricedMicros: event.priced === "default" ? costMicros : 0,
    events: 1,
  };
  return [
    { ...row, subject: "company", provider: "", name: "" },
    { ...row, subject: "agent", provider: "", name: agentId },
    { ...row, subject: "model", provider, name: model },
  ];
}

const amounts = ["inputTokens", "cachedInputTokens", "outputTokens", "costMicros", "unpricedMicros", "events"] as const;

function added(before: DayRow | undefined, more: DayRow): DayRow {
  if (before === undefined) return more;
  return { ...before, ...Object.fromEntries(amounts.map((name) => [name, before[name] + more[name]])) };
}
