import type { Agent } from "@roster/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/operations.ts";
import { useCompany } from "../../app/company.ts";
import { Face } from "../../design/face.tsx";
import { Money } from "../../design/measures.tsx";
import { Card, Facts, Section } from "../../design/surface.tsx";
import { InstructionFiles, SettingsList } from "../agents/configuration-parts.tsx";
import { useAgents } from "../people/names.ts";
import { CheckResult } from "./check-result.tsx";

/** What a hire proposes: an agent, before it is one. */
type Proposed = Pick<
  Agent,
  | "name"
  | "role"
  | "title"
  | "icon"
  | "reportsTo"
  | "capabilities"
  | "adapterType"
  | "adapterConfig"
  | "instructionsBundle"
  | "runtimeConfig"
  | "permissions"
  | "budgetMonthlyCents"
> & { readonly skills: readonly { readonly key: string; readonly contentHash: string }[] };

/** The proposed agent as a page that can be read before deciding. */
export function HireReview({ approval }: { readonly approval: AnswerOf<"approvals.get"> }): ReactNode {
  // The payload of a hire is the whole proposed agent, as the service wrote it.
  const agent = approval.payload as unknown as Proposed;
  return (
    <>
      <Card className="flex flex-col gap-5 p-5">
        <div className="flex items-start gap-4">
          <Face icon={agent.icon} size="large" />
          <div className="min-w-0">
            <p className="font-semibold text-lg">{agent.name}</p>
            <p className="text-ink-soft">{agent.title ?? agent.role}</p>
          </div>
        </div>
        {agent.capabilities !== null && <p className="max-w-3xl whitespace-pre-line">{agent.capabilities}</p>}
        <Facts
          facts={[
            ["Role", agent.role],
            ["Reports to", <ReportingLine key="line" reportsTo={agent.reportsTo} />],
            ["Budget", <Budget key="budget" agent={agent} />],
            ["Runs", howItRuns(agent)],
            ["May", mayOf(agent)],
          ]}
        />
      </Card>
      {approval.check !== null && <CheckResult check={approval.check} />}
      {agent.instructionsBundle !== null && (
        <Section title="Instructions">
          <InstructionFiles bundle={agent.instructionsBundle} />
        </Section>
      )}
      <Section title="Skills">
        <Skills skills={agent.skills} />
      </Section>
      <Section title={`Settings · ${agent.adapterType}`}>
        <SettingsList settings={agent.adapterConfig} />
      </Section>
    </>
  );
}

/** Those above it, the nearest first. */
function ReportingLine({ reportsTo }: { readonly reportsTo: string | null }): ReactNode {
  const { issuePrefix } = useCompany();
  const agents = useAgents();
  const line: Agent[] = [];
  for (let id = reportsTo; id !== null && line.length < 20; ) {
    const above = agents.get(id);
    if (above === undefined || line.includes(above)) break;
    line.push(above);
    id = above.reportsTo;
  }
  if (line.length === 0) return "Nobody: it would stand at the top";
  return line.map(({ id, name, urlKey }, index) => (
    <span key={id}>
      {index > 0 && <span className="text-ink-faint"> → </span>}
      <Link
        to="/$prefix/agents/$agentKey"
        params={{ prefix: issuePrefix, agentKey: urlKey }}
        search={{}}
        className="text-accent hover:underline"
      >
        {name}
      </Link>
    </span>
  ));
}

function Budget({ agent: { budgetMonthlyCents, runtimeConfig } }: { readonly agent: Proposed }): ReactNode {
  if (budgetMonthlyCents === 0) return <span className="text-warn">No limit</span>;
  return (
    <>
      <Money cents={budgetMonthlyCents} /> a month
      {runtimeConfig.maxRunCostCents !== undefined && (
        <>
          , at most <Money cents={runtimeConfig.maxRunCostCents} /> a run
        </>
      )}
    </>
  );
}

function howItRuns({ runtimeConfig: { heartbeat, maxConcurrentRuns } }: Proposed): string {
  const often = heartbeat.enabled ? `every ${heartbeat.intervalSec ?? 0} s` : "no timer";
  const asked = heartbeat.wakeOnDemand ? "when it is woken" : "never when it is woken";
  return `${asked}, ${often}, ${maxConcurrentRuns === 1 ? "one run" : `${maxConcurrentRuns} runs`} at a time`;
}

function mayOf({ permissions }: Proposed): string {
  const may = [
    permissions.canCreateAgents && "hire",
    permissions.canManageSkills && "manage skills",
    permissions.canAssignTasks && "assign issues to anyone",
  ].filter((word) => word !== false);
  return may.length === 0 ? "work on its own issues, nothing more" : `work on its own issues, ${may.join(", ")}`;
}

function Skills({ skills }: { readonly skills: Proposed["skills"] }): ReactNode {
  if (skills.length === 0) return <p className="text-ink-soft text-sm">None.</p>;
  return (
    <ul className="flex flex-col gap-1.5 text-sm">
      {skills.map(({ key, contentHash }) => (
        <li key={key} className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">{key}</span>
          <code className="font-mono text-ink-faint text-xs" title={contentHash}>
            {contentHash.slice(0, 12)}
          </code>
        </li>
      ))}
    </ul>
  );
}
