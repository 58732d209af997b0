import type { Agent } from "@roster/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/operations.ts";
import { useCompany } from "../../app/company.ts";
import { StateBadge } from "../../design/badge.tsx";
import { Face } from "../../design/face.tsx";
import { Money } from "../../design/measures.tsx";
import { Card, Section } from "../../design/surface.tsx";
import { InstructionFiles, SettingsList } from "../agents/configuration-parts.tsx";
import { useAdapters } from "../agents/use-adapters.ts";
import { useAgents } from "../people/names.ts";
import { CheckResult } from "./check-result.tsx";
import type { Proposed } from "./proposed.ts";
import { ProposedSkills } from "./proposed-skills.tsx";
import { Touches } from "./touches.tsx";

/** The proposed agent as a page that can be read before deciding: who, below whom, for how much, what it touches. */
export function HireReview({ approval }: { readonly approval: AnswerOf<"approvals.get"> }): ReactNode {
  // The payload of a hire is the whole proposed agent, as the service wrote it.
  const agent = approval.payload as unknown as Proposed;
  const title = useAdapters().adapters.find(({ type }) => type === agent.adapterType)?.title ?? agent.adapterType;
  return (
    <>
      <Card className="flex flex-col gap-5 p-5">
        <div className="flex items-start gap-4">
          <Face icon={agent.icon} size="large" />
          <div className="min-w-0">
            <p className="font-semibold text-lg">{agent.name}</p>
            <p className="text-ink-soft">
              {agent.title === null ? agent.role : `${agent.title} · ${agent.role}`} · {title}
            </p>
          </div>
        </div>
        {agent.capabilities !== null && <p className="max-w-3xl whitespace-pre-line">{agent.capabilities}</p>}
        <dl className="grid gap-x-6 gap-y-4 border-line border-t pt-4 sm:grid-cols-2 lg:grid-cols-4">
          <Tile name="Reports to">
            <ReportingLine reportsTo={agent.reportsTo} />
          </Tile>
          <Tile name="Each month">
            <Budget agent={agent} />
          </Tile>
          <Tile name="Runs">{howItRuns(agent)}</Tile>
          <Tile name="Can it work?">
            {approval.check === null ? "Not looked at" : <StateBadge state={approval.check.state} />}
          </Tile>
        </dl>
      </Card>
      <Touches agent={agent} />
      {approval.check !== null && approval.check.findings.length > 0 && <CheckResult check={approval.check} />}
      <Section title="Instructions">
        {agent.instructionsBundle === null ? (
          <p className="text-ink-soft text-sm">None: it knows its name, its title and the company's goal.</p>
        ) : (
          <InstructionFiles bundle={agent.instructionsBundle} />
        )}
      </Section>
      <Section title="Skills">
        <ProposedSkills skills={agent.skills} />
      </Section>
      <Section title={`Settings · ${agent.adapterType}`}>
        <SettingsList settings={agent.adapterConfig} />
      </Section>
    </>
  );
}

function Tile({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-ink-faint text-xs">{name}</dt>
      <dd className="min-w-0 break-words text-sm">{children}</dd>
    </div>
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
      <Money cents={budgetMonthlyCents} />
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
