import { and, eq, sql } from "drizzle-orm";
import type { Scope } from "../../platform/scope.ts";
import { runEvents } from "./table.ts";

/** What a run told it used of one model; `costMicros` is null where it named no cost. */
export interface ToldUsage {
  readonly provider: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number | null;
}

/** Of more models than this, those that were used least are taken for one. */
const mostModels = 20;
/** More than any program uses: no sum of what one says breaks a number. */
const most = 1_000_000_000_000;

const data = runEvents.data;
const named = (field: string, longest: number) =>
  sql<string>`coalesce(nullif(trim(left(${data}->>${sql.raw(`'${field}'`)}, ${longest})), ''), 'unknown')`;
const isNumber = (field: string) => sql`coalesce(jsonb_typeof(${data}->${sql.raw(`'${field}'`)}) = 'number', false)`;
const summed = (field: string) =>
  sql`least(sum(case when ${isNumber(field)} then
    least(greatest(round((${data}->>${sql.raw(`'${field}'`)})::numeric), 0), ${sql.raw(String(most))}) else 0 end),
    ${sql.raw(String(most))})`;

/** What a run told it used, by model, and what of it came with a cost apart from the rest. */
export async function listUsage(scope: Scope, runId: string): Promise<ToldUsage[]> {
  const ofRun = and(eq(runEvents.companyId, scope.companyId), eq(runEvents.runId, runId), eq(runEvents.kind, "usage"));
  const rows = await scope.db.execute<Record<keyof ToldUsage, string> & { isReported: boolean }>(sql`
    with told as (
      select ${named("provider", 100)} as provider, ${named("model", 200)} as model,
        ${isNumber("costMicros")} as is_reported, ${summed("inputTokens")} as input,
        ${summed("cachedInputTokens")} as cached, ${summed("outputTokens")} as output, ${summed("costMicros")} as cost
      from ${runEvents} where ${ofRun} group by 1, 2, 3
    ), placed as (
      select *, row_number() over (order by cost desc, input + cached + output desc) <= ${mostModels} as is_own from told
    )
    select case when is_own then provider else 'other' end as provider, case when is_own then model else 'other' end as model,
      is_reported as "isReported", sum(input) as "inputTokens", sum(cached) as "cachedInputTokens",
      sum(output) as "outputTokens", sum(cost) as "costMicros"
    from placed group by 1, 2, 3`);
  return rows.map(({ provider, model, isReported, ...sums }) => ({
    provider,
    model,
    inputTokens: Number(sums.inputTokens),
    cachedInputTokens: Number(sums.cachedInputTokens),
    outputTokens: Number(sums.outputTokens),
    costMicros: isReported ? Number(sums.costMicros) : null,
  }));
}
