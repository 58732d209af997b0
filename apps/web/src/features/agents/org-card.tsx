import type { Agent, Run } from "@roster/client";
import { Link } from "@tanstack/react-router";
import { Pause, Play, Zap } from "lucide-react";
import type { ReactNode } from "react";
import { useCompany } from "../../app/company.ts";
import { StateBadge } from "../../design/badge.tsx";
import { IconButton } from "../../design/button.tsx";
import { Face } from "../../design/face.tsx";
import { Spending } from "../../design/measures.tsx";

/** What can be done with an agent from its card; what may not be done is not there. */
export interface CardDeeds {
  readonly pause?: (agent: Agent) => void;
  readonly resume?: (agent: Agent) => void;
  readonly wake?: (agent: Agent) => void;
}

interface Parts {
  readonly agent: Agent;
  /** What it is at now. */
  readonly run: Run | undefined;
  readonly deeds: CardDeeds;
}

/** One agent in the org chart: who it is, how it is, what it spends, what it is at. */
export function OrgCard({ agent, run, deeds }: Parts): ReactNode {
  const { issuePrefix } = useCompany();
  return (
    <div className="flex size-full flex-col gap-1.5 rounded-lg border border-line bg-raised px-3 py-2.5 focus-within:border-accent hover:border-line-strong">
      <div className="flex items-start gap-2.5">
        <Face icon={agent.icon} />
        <div className="min-w-0 flex-1">
          <Link
            to="/$prefix/agents/$agentKey"
            params={{ prefix: issuePrefix, agentKey: agent.urlKey }}
            search={{}}
            draggable={false}
            className="block truncate font-medium leading-tight hover:underline"
          >
            {agent.name}
          </Link>
          <p className="truncate text-ink-faint text-xs">{agent.title ?? agent.role}</p>
        </div>
        <StateBadge state={agent.status} />
      </div>
      <div className="text-xs">
        <Spending spent={agent.spentMonthlyCents} budget={agent.budgetMonthlyCents} />
      </div>
      <div className="mt-auto flex min-h-8 items-center gap-1">
        <p className="min-w-0 flex-1 truncate text-xs">
          {run === undefined ? (
            <span className="text-ink-faint">{agent.lastHeartbeatAt === null ? "Never ran" : "At nothing now"}</span>
          ) : (
            <Link
              to="/$prefix/runs/$runId"
              params={{ prefix: issuePrefix, runId: run.id }}
              search={{}}
              draggable={false}
              className="text-accent hover:underline"
            >
              {run.wakes.at(-1)?.reason ?? "Running"}
            </Link>
          )}
        </p>
        <Deeds agent={agent} deeds={deeds} />
      </div>
    </div>
  );
}

function Deeds({ agent, deeds: { pause, resume, wake } }: Omit<Parts, "run">): ReactNode {
  if (agent.status === "terminated" || agent.status === "pending_approval") return null;
  if (agent.status === "paused") {
    return (
      resume !== undefined && (
        <IconButton label={`Resume ${agent.name}`} onClick={() => resume(agent)}>
          <Play size={15} aria-hidden="true" />
        </IconButton>
      )
    );
  }
  return (
    <>
      {wake !== undefined && (
        <IconButton label={`Wake ${agent.name}`} onClick={() => wake(agent)}>
          <Zap size={15} aria-hidden="true" />
        </IconButton>
      )}
      {pause !== undefined && (
        <IconButton label={`Pause ${agent.name}`} onClick={() => pause(agent)}>
          <Pause size={15} aria-hidden="true" />
        </IconButton>
      )}
    </>
  );
}
