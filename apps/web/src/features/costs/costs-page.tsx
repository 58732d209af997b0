import { Coins } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { useAsk, usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Money, Spending } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, EmptyState, Facts, PageHead, Section, Waiting } from "../../design/surface.tsx";

const SpendChart = lazy(async () => ({ default: (await import("./spend-chart.tsx")).SpendChart }));

/** What was spent this month, by day, agent and model. */
export function CostsPage(): ReactNode {
  const company = useCompany();
  const { data, error } = useAsk("costs.summary", { params: { companyId: company.id }, query: {} });
  return (
    <>
      <PageHead title="Costs" />
      <Refusal error={error} />
      {data === undefined && error === null && <Waiting />}
      {data !== undefined && (
        <Card className="p-5">
          <Facts
            facts={[
              [
                "This month",
                <Spending key="s" spent={company.spentMonthlyCents} budget={company.budgetMonthlyCents} />,
              ],
              ["Unpriced", <Unpriced key="u" cents={data.unpricedCents} />],
              ["Cost events", data.events.toLocaleString("en")],
            ]}
          />
        </Card>
      )}
      {data?.events === 0 && (
        <EmptyState icon={<Coins />} title="Nothing was spent this month">
          What agents use is booked while they run.
        </EmptyState>
      )}
      {data !== undefined && data.events > 0 && (
        <>
          <Section title="By day">
            <Suspense fallback={<Waiting />}>
              <SpendChart summary={data} />
            </Suspense>
          </Section>
          <ByAgent />
          <ByModel />
        </>
      )}
    </>
  );
}

function Unpriced({ cents }: { readonly cents: number }): ReactNode {
  if (cents === 0) return "Nothing: every model has a price";
  return (
    <>
      <Money cents={cents} /> was counted at the rate for models without a price
    </>
  );
}

function ByAgent(): ReactNode {
  const { items } = usePages("costs.byAgent", { params: { companyId: useCompany().id }, query: { limit: 100 } });
  return (
    <Amounts title="By agent" rows={items.map(({ agentId, agentName, ...amounts }) => [agentId, agentName, amounts])} />
  );
}

function ByModel(): ReactNode {
  const { items } = usePages("costs.byModel", { params: { companyId: useCompany().id }, query: { limit: 100 } });
  return (
    <Amounts
      title="By model"
      rows={items.map((row) => [`${row.provider} ${row.model}`, `${row.model} · ${row.provider}`, row])}
    />
  );
}

interface AmountsParts {
  readonly title: string;
  readonly rows: readonly (readonly [
    string,
    string,
    { inputTokens: number; outputTokens: number; costCents: number },
  ])[];
}

const cell = "px-4 py-2 text-right tabular-nums";

function Amounts({ title, rows }: AmountsParts): ReactNode {
  return (
    <Section title={title}>
      <div className="overflow-x-auto rounded-lg border border-line bg-surface">
        <table className="w-full text-sm">
          <thead className="text-ink-faint text-xs">
            <tr className="border-line border-b">
              <th scope="col" className="px-4 py-2 text-left font-medium">
                {title.replace("By ", "").replace(/^\w/, (first) => first.toUpperCase())}
              </th>
              <th scope="col" className="px-4 py-2 text-right font-medium max-sm:hidden">
                Tokens in
              </th>
              <th scope="col" className="px-4 py-2 text-right font-medium max-sm:hidden">
                Tokens out
              </th>
              <th scope="col" className="px-4 py-2 text-right font-medium">
                Cost
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map(([key, name, { inputTokens, outputTokens, costCents }]) => (
              <tr key={key}>
                <th scope="row" className="px-4 py-2 text-left font-medium">
                  {name}
                </th>
                <td className={`${cell} max-sm:hidden`}>{inputTokens.toLocaleString("en")}</td>
                <td className={`${cell} max-sm:hidden`}>{outputTokens.toLocaleString("en")}</td>
                <td className={cell}>
                  <Money cents={costCents} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
