import type { CostSummary } from "@roster/client";
import { Link, useSearch } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight, Coins } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { useAsk, usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { buttonClass } from "../../design/button.tsx";
import { Money } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, EmptyState, PageHead, Section, Waiting } from "../../design/surface.tsx";
import { useAgents } from "../people/names.ts";
import { AmountsTable } from "./amounts-table.tsx";
import { BudgetLines } from "./budget-lines.tsx";
import { forecast, forecastRule } from "./forecast.ts";
import { daysOf, type Month, monthAfter, monthIn, monthOf, nameOf } from "./month.ts";

const SpendChart = lazy(async () => ({ default: (await import("./spend-chart.tsx")).SpendChart }));

/** What was spent in a month, by day, agent and model; what may be spent in this one. */
export function CostsPage(): ReactNode {
  const { id: companyId } = useCompany();
  const { month: given } = useSearch({ from: "/$prefix/costs" });
  const present = monthOf(new Date());
  const month = monthIn(given, present);
  const { data, error } = useAsk("costs.summary", { params: { companyId }, query: daysOf(month) });
  return (
    <>
      <PageHead
        title="Costs"
        name={`Costs, ${nameOf(month)}`}
        aside={<MonthSwitch month={month} present={present} />}
      />
      <Refusal error={error} />
      {data === undefined && error === null && <Waiting />}
      {data !== undefined && <Figures summary={data} month={month} />}
      {month === present && <BudgetLines />}
      {data?.events === 0 && (
        <EmptyState icon={<Coins />} title={`Nothing was spent in ${nameOf(month)}`}>
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
          <ByAgent key={`agents ${month}`} month={month} />
          <ByModel key={`models ${month}`} month={month} />
        </>
      )}
    </>
  );
}

function MonthSwitch({ month, present }: { readonly month: Month; readonly present: Month }): ReactNode {
  const { issuePrefix } = useCompany();
  const to = (other: Month) => ({
    to: "/$prefix/costs" as const,
    params: { prefix: issuePrefix },
    search: other === present ? {} : { month: other },
  });
  return (
    <nav aria-label="Month" className="flex items-center gap-1">
      <Link {...to(monthAfter(month, -1))} aria-label="The month before" className={buttonClass("quiet")}>
        <ChevronLeft size={16} aria-hidden="true" />
      </Link>
      <span className="min-w-32 text-center font-medium text-sm">{nameOf(month)}</span>
      {month < present ? (
        <Link {...to(monthAfter(month, 1))} aria-label="The month after" className={buttonClass("quiet")}>
          <ChevronRight size={16} aria-hidden="true" />
        </Link>
      ) : (
        <span aria-hidden="true" className={buttonClass("quiet", "opacity-40")}>
          <ChevronRight size={16} />
        </span>
      )}
    </nav>
  );
}

function Figures({ summary, month }: { readonly summary: CostSummary; readonly month: Month }): ReactNode {
  const expected = forecast(summary.days, month, new Date().toISOString().slice(0, 10));
  const { costCents, unpricedCents, events } = summary;
  return (
    <Card className="flex flex-col gap-3 p-5">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure name="Spent">
          <Money cents={costCents} />
        </Figure>
        <Figure name="Forecast to the month's end">{expected === null ? "–" : <Money cents={expected} />}</Figure>
        <Figure name="Without a price">
          <Money cents={unpricedCents} />
          {unpricedCents > 0 && (
            <span className="font-normal text-base text-ink-soft"> {share(unpricedCents, costCents)}</span>
          )}
        </Figure>
        <Figure name="Cost events">{events.toLocaleString("en")}</Figure>
      </dl>
      <p className="text-ink-faint text-xs">
        {expected !== null && `Forecast: ${forecastRule} `}
        {unpricedCents > 0 && "Without a price: counted at the rate for models that are not in the price table. "}
        Days and months are those of UTC.
      </p>
    </Card>
  );
}

const share = (part: number, whole: number): string => `${Math.round((100 * part) / Math.max(1, whole))} %`;

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="flex flex-col gap-0.5">
      <dt className="text-ink-faint text-xs">{name}</dt>
      <dd className="font-semibold text-lg tabular-nums">{children}</dd>
    </div>
  );
}

function ByAgent({ month }: { readonly month: Month }): ReactNode {
  const { id: companyId, issuePrefix } = useCompany();
  const agents = useAgents();
  const query = { ...daysOf(month), limit: 50 };
  const { items, query: asked } = usePages("costs.byAgent", { params: { companyId }, query });
  const rows = items.map((row) => ({
    ...row,
    key: row.agentId,
    name: (
      <Link
        to="/$prefix/agents/$agentKey"
        params={{ prefix: issuePrefix, agentKey: agents.get(row.agentId)?.urlKey ?? row.agentId }}
        className="hover:underline"
      >
        {row.agentName}
      </Link>
    ),
  }));
  return (
    <Section title="By agent">
      {rows.length > 0 && <AmountsTable of="Agent" rows={rows} />}
      <MoreButton query={asked} />
    </Section>
  );
}

function ByModel({ month }: { readonly month: Month }): ReactNode {
  const { id: companyId } = useCompany();
  const query = { ...daysOf(month), limit: 50 };
  const { items, query: asked } = usePages("costs.byModel", { params: { companyId }, query });
  const rows = items.map((row) => ({
    ...row,
    key: `${row.provider} ${row.model}`,
    name: (
      <>
        {row.model} <span className="font-normal text-ink-faint">{row.provider}</span>
      </>
    ),
  }));
  return (
    <Section title="By model">
      {rows.length > 0 && <AmountsTable of="Model" rows={rows} />}
      <MoreButton query={asked} />
    </Section>
  );
}
