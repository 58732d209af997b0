import type { Agent, Whynot } from "@roster/client";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAsk, usePages } from "../../api/queries.ts";
import { useReadableAddress } from "../../app/canonical.ts";
import { useCompany } from "../../app/company.ts";
import { Badge, StateBadge } from "../../design/badge.tsx";
import { Face } from "../../design/face.tsx";
import { Moment, Spending } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, Facts, PageHead, Rows, Section, Waiting } from "../../design/surface.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { CheckResult } from "../approvals/hire-review.tsx";
import { IssueRow } from "../issues/issue-row.tsx";
import { useAgents } from "../people/names.ts";
import { RunRow } from "../runs/run-row.tsx";
import { AgentActions } from "./agent-actions.tsx";
import { Configuration } from "./configuration.tsx";
import { Revisions } from "./revisions.tsx";
import { FixButton } from "./whynot-fix.tsx";

const from = "/$prefix/agents/$agentKey";

/** One agent: whether it works now and why not, what it did, what makes it behave as it does. */
export function AgentPage(): ReactNode {
  const { id } = useCompany();
  const { agentKey } = useParams({ from });
  const { data: agent, error } = useAsk("agents.get", { params: { agentId: agentKey }, query: { companyId: id } });
  useReadableAddress(agentKey, agent?.urlKey);
  if (agent === undefined) return error === null ? <Waiting /> : <Refusal error={error} />;
  return (
    <>
      <AgentHead agent={agent} />
      <AgentTabs agent={agent} />
    </>
  );
}

function AgentHead({ agent }: { readonly agent: Agent }): ReactNode {
  const { issuePrefix } = useCompany();
  return (
    <PageHead
      name={agent.name}
      above={
        <Link to="/$prefix/agents" params={{ prefix: issuePrefix }} search={{}} className="hover:underline">
          Agents
        </Link>
      }
      title={
        <span className="flex items-center gap-3.5">
          <Face icon={agent.icon} size="large" />
          <span className="flex min-w-0 flex-col">
            <span className="flex flex-wrap items-center gap-2">
              {agent.name} <StateBadge state={agent.status} />
            </span>
            <span className="font-normal text-base text-ink-soft tracking-normal">{agent.title ?? agent.role}</span>
          </span>
        </span>
      }
      aside={<AgentActions agent={agent} />}
    />
  );
}

function AgentTabs({ agent }: { readonly agent: Agent }): ReactNode {
  const { tab = "now" } = useSearch({ from });
  const navigate = useNavigate({ from });
  const tabs = [
    { key: "now", label: "Now", content: <Now agent={agent} /> },
    { key: "runs", label: "Runs", content: <Runs agentId={agent.id} /> },
    { key: "configuration", label: "Configuration", content: <Configuration agent={agent} /> },
    { key: "revisions", label: "Revisions", content: <Revisions agent={agent} /> },
  ] as const;
  const choose = (chosen: string): void => {
    const key = tabs.find((known) => known.key === chosen)?.key ?? "now";
    void navigate({ search: key === "now" ? {} : { tab: key }, replace: true });
  };
  return <Tabs label={agent.name} tabs={tabs} chosen={tab} onChoose={choose} />;
}

function Now({ agent }: { readonly agent: Agent }): ReactNode {
  const manager = useAgents().get(agent.reportsTo ?? "");
  return (
    <>
      <WhyNot agentId={agent.id} />
      <Card className="flex flex-col gap-4 p-5">
        {agent.capabilities !== null && <p className="whitespace-pre-line">{agent.capabilities}</p>}
        <Facts
          facts={[
            ["Role", agent.role],
            ["Reports to", manager?.name ?? "Nobody"],
            ["This month", <Spending key="spent" spent={agent.spentMonthlyCents} budget={agent.budgetMonthlyCents} />],
            [
              "Last seen",
              agent.lastHeartbeatAt === null ? "Never ran" : <Moment key="seen" at={agent.lastHeartbeatAt} />,
            ],
          ]}
        />
      </Card>
      <CheckResult check={agent.check} />
      <Work agentId={agent.id} />
    </>
  );
}

/** Why it does not work now, and what clears it. */
function WhyNot({ agentId }: { readonly agentId: string }): ReactNode {
  const { issuePrefix } = useCompany();
  const { data, error } = useAsk("runs.whynot", { params: { agentId } });
  if (data === undefined) return <Refusal error={error} />;
  const [running] = data.running;
  if (data.reasons.length === 0) {
    return (
      <Card className="flex flex-wrap items-center gap-3 px-5 py-4">
        <Badge tone="accent">{running === undefined ? "About to start" : "At work"}</Badge>
        <span className="flex-1 text-ink-soft">
          {data.queued > 0 ? `${data.queued} more waiting` : "Nothing hinders it."}
        </span>
        {running !== undefined && (
          <Link
            to="/$prefix/runs/$runId"
            params={{ prefix: issuePrefix, runId: running }}
            search={{}}
            className="text-accent"
          >
            Watch it
          </Link>
        )}
      </Card>
    );
  }
  return (
    <Section title="Why it does not work now">
      <Rows label="Reasons, the first to be cleared at the top">
        {data.reasons.map((reason) => (
          <Reason key={reason.code + reason.message} reason={reason} />
        ))}
      </Rows>
    </Section>
  );
}

function Reason({ reason }: { readonly reason: Whynot["reasons"][number] }): ReactNode {
  const waits = { board: "Waits for you", service: "Passes by itself", nobody: "" }[reason.nextActor];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-56 flex-1">
        <p>{reason.message}</p>
        {waits !== "" && <p className="text-ink-faint text-sm">{waits}</p>}
      </div>
      {reason.fix !== null && <FixButton fix={reason.fix} />}
    </li>
  );
}

function Work({ agentId }: { readonly agentId: string }): ReactNode {
  const { id } = useCompany();
  const query = { assigneeAgentId: agentId, status: "backlog,todo,in_progress,in_review,blocked", limit: 20 };
  const { data } = useAsk("issues.list", { params: { companyId: id }, query });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title="Its issues">
      <Rows label="Open issues">
        {data.items.map((issue) => (
          <IssueRow key={issue.id} issue={issue} />
        ))}
      </Rows>
    </Section>
  );
}

function Runs({ agentId }: { readonly agentId: string }): ReactNode {
  const { id } = useCompany();
  const { items, query } = usePages("runs.list", { params: { companyId: id }, query: { agentId } });
  return (
    <>
      {items.length === 0 && !query.isPending && <p className="text-ink-soft">It has not run yet.</p>}
      {items.length > 0 && (
        <Rows label="Runs">
          {items.map((run) => (
            <RunRow key={run.id} run={run} withFace={false} />
          ))}
        </Rows>
      )}
      <MoreButton query={query} />
    </>
  );
}
