import type { Agent } from "@roster/client";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { UserPlus, Users } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { useAllPages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { StateBadge } from "../../design/badge.tsx";
import { buttonClass } from "../../design/button.tsx";
import { Face } from "../../design/face.tsx";
import { Spending } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { EmptyState, PageHead, Rows, Waiting } from "../../design/surface.tsx";
import { Tabs } from "../../design/tabs.tsx";

const OrgChart = lazy(async () => ({ default: (await import("./org-chart.tsx")).OrgChart }));
const from = "/$prefix/agents";

/** Who works here: as a list, and as the tree of who reports to whom. */
export function AgentsPage(): ReactNode {
  const { issuePrefix } = useCompany();
  const { view = "list" } = useSearch({ from });
  const navigate = useNavigate({ from });
  const mayHire = useMay("hires.request");
  const chart = (
    <Suspense fallback={<Waiting />}>
      <OrgChart />
    </Suspense>
  );
  return (
    <>
      <PageHead
        title="Agents"
        aside={
          mayHire && (
            <Link to="/$prefix/hire" params={{ prefix: issuePrefix }} className={buttonClass("primary")}>
              <UserPlus size={15} aria-hidden="true" />
              Hire an agent
            </Link>
          )
        }
      />
      <Tabs
        label="How they are shown"
        chosen={view}
        onChoose={(key) => void navigate({ search: key === "chart" ? { view: "chart" } : {}, replace: true })}
        tabs={[
          { key: "list", label: "List", content: <AgentList /> },
          { key: "chart", label: "Org chart", content: chart },
        ]}
      />
    </>
  );
}

function AgentList(): ReactNode {
  const { id } = useCompany();
  const { items, query } = useAllPages("agents.list", { params: { companyId: id }, query: { limit: 200 } });
  if (query.isPending) return <Waiting />;
  if (items.length === 0) {
    if (query.error !== null) return <Refusal error={query.error} />;
    return (
      <EmptyState icon={<Users />} title="Nobody works here yet">
        Hire the first agent.
      </EmptyState>
    );
  }
  return (
    <>
      <Refusal error={query.error} />
      <Rows label="Agents">
        {items.map((agent) => (
          <AgentRow key={agent.id} agent={agent} />
        ))}
      </Rows>
    </>
  );
}

function AgentRow({ agent }: { readonly agent: Agent }): ReactNode {
  const { issuePrefix } = useCompany();
  return (
    <li className="relative flex items-center gap-3.5 px-4 py-3 [content-visibility:auto] hover:bg-hover">
      <Face icon={agent.icon} />
      <div className="min-w-0 flex-1">
        <Link
          to="/$prefix/agents/$agentKey"
          params={{ prefix: issuePrefix, agentKey: agent.urlKey }}
          search={{}}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {agent.name}
        </Link>
        <p className="truncate text-ink-faint text-sm">{agent.title ?? agent.role}</p>
      </div>
      <div className="w-40 text-right text-sm max-md:hidden">
        <Spending spent={agent.spentMonthlyCents} budget={agent.budgetMonthlyCents} />
      </div>
      <StateBadge state={agent.status} />
    </li>
  );
}
