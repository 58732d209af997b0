import type { Run } from "@roster/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCompany } from "../../app/company.ts";
import { StateBadge } from "../../design/badge.tsx";
import { Face } from "../../design/face.tsx";
import { lasted, Moment, Money } from "../../design/measures.tsx";
import { useAgents } from "../people/names.ts";

/** A run in a list: whose, why, how it went, what it cost. */
export function RunRow({ run, withFace = true }: { readonly run: Run; readonly withFace?: boolean }): ReactNode {
  const { issuePrefix } = useCompany();
  const agent = useAgents().get(run.agentId);
  return (
    <li className="relative flex items-center gap-3 px-4 py-2.5 hover:bg-hover">
      {withFace && <Face icon={agent?.icon ?? null} size="small" />}
      <div className="min-w-0 flex-1">
        <Link
          to="/$prefix/runs/$runId"
          params={{ prefix: issuePrefix, runId: run.id }}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {withFace && `${agent?.name ?? "An agent"}: `}
          {whyOf(run)}
        </Link>
        <p className="truncate text-ink-faint text-sm">
          <Moment at={run.finishedAt ?? run.startedAt ?? run.createdAt} />
          {run.startedAt !== null && run.finishedAt !== null && ` · took ${lasted(run.startedAt, run.finishedAt)}`}
          {run.cause !== null && run.cause.code !== "ok" && ` · ${run.cause.message}`}
        </p>
      </div>
      {run.usage.costCents > 0 && (
        <span className="text-ink-soft text-sm max-sm:hidden">
          <Money cents={run.usage.costCents} />
        </span>
      )}
      <StateBadge state={run.status} />
    </li>
  );
}

/** Why it ran, as its newest wake says. */
function whyOf({ wakes }: Run): string {
  return wakes.at(-1)?.reason ?? "no reason was given";
}
