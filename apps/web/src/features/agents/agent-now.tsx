import type { Agent, Whynot } from "@roster/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAsk } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Badge } from "../../design/badge.tsx";
import { Moment, Spending } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, Facts, Rows, Section } from "../../design/surface.tsx";
import { CheckResult } from "../approvals/check-result.tsx";
import { IssueRow } from "../issues/issue-row.tsx";
import { useAgents } from "../people/names.ts";
import { FixButton } from "./whynot-fix.tsx";

/** What an agent is at, and why it is not where it is at nothing. */
export function AgentNow({ agent }: { readonly agent: Agent }): ReactNode {
  const { issuePrefix } = useCompany();
  const agents = useAgents();
  const manager = agents.get(agent.reportsTo ?? "");
  const reports = [...agents.values()].filter(({ reportsTo }) => reportsTo === agent.id);
  const linkTo = ({ id, name, urlKey }: Agent): ReactNode => (
    <Link
      key={id}
      to="/$prefix/agents/$agentKey"
      params={{ prefix: issuePrefix, agentKey: urlKey }}
      search={{}}
      className="mr-3 text-accent hover:underline"
    >
      {name}
    </Link>
  );
  return (
    <>
      <WhyNot agentId={agent.id} />
      <Card className="flex flex-col gap-4 p-5">
        {agent.capabilities !== null && <p className="whitespace-pre-line">{agent.capabilities}</p>}
        <Facts
          facts={[
            ["Role", agent.role],
            ["Reports to", manager === undefined ? "Nobody" : linkTo(manager)],
            ...(reports.length > 0 ? [["Reports", reports.slice(0, 12).map(linkTo)] as const] : []),
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
