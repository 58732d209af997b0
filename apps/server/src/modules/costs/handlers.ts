import type { Contract, Query } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import type { Scope } from "../../platform/scope.ts";
import { periodOf } from "./period.ts";
import { presentAgentCosts, presentCostEvent, presentModelCosts, presentSummary } from "./present.ts";
import { type ReportNeeds, reportCost } from "./report-cost.ts";
import { listAgentTotals, listCostEvents, listDays, listModelTotals, type TotalKey, type TotalPage } from "./store.ts";

/** Operations on costs. */
export const costHandlers = (needs: ReportNeeds): HandlersOf<Contract["costs"]> => ({
  report: async (change, { body }) => presentCostEvent(await reportCost(change, needs, body)),
  list: async (scope, { query: { limit, cursor, agentId, runId } }) => {
    const page = { limit: limit + 1, before: decodeCursor(cursor, isId), agentId, runId };
    return pageOf(await listCostEvents(scope, page), limit, (row) => row.id, presentCostEvent);
  },
  summary: async (scope, { query }) => {
    const period = periodOf(query, scope.now);
    return presentSummary(period, await listDays(scope, period));
  },
  byAgent: async (scope, { query }) =>
    pageOf(await listAgentTotals(scope, totalPage(scope, query)), query.limit, keyOf, presentAgentCosts),
  byModel: async (scope, { query }) =>
    pageOf(await listModelTotals(scope, totalPage(scope, query)), query.limit, keyOf, presentModelCosts),
});

function totalPage(scope: Scope, query: Query<Contract["costs"]["byModel"]>): TotalPage {
  const key = decodeCursor(query.cursor, (text) => totalKeyOf(text) !== null);
  return {
    ...periodOf(query, scope.now),
    limit: query.limit + 1,
    after: key === null ? null : totalKeyOf(key),
  };
}

const keyOf = (row: { costMicros: number; provider: string; name: string }): string =>
  JSON.stringify([row.costMicros, row.provider, row.name]);

/** The key inside a cursor; null where it is none. Pure. */
function totalKeyOf(text: string): TotalKey | null {
  const found = /^\[(\d{1,16}),(".*"),(".*")\]$/.exec(text);
  if (found === null) return null;
  try {
    const [costMicros, provider, name, ...more] = JSON.parse(text) as unknown[];
    const isKey = typeof costMicros === "number" && typeof provider === "string" && typeof name === "string";
    return isKey && more.length === 0 ? [costMicros, provider, name] : null;
  } catch {
    return null;
  }
}
