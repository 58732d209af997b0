import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/operations.ts";
import { useAsk } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { StateBadge } from "../../design/badge.tsx";
import { lasted, Moment, Money } from "../../design/measures.tsx";
import { NotShown } from "../../design/not-shown.tsx";
import { Card, PageHead, Waiting } from "../../design/surface.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { wordsOf } from "../../design/words.ts";
import { useAgents } from "../people/names.ts";
import { RunActions } from "./run-actions.tsx";
import { RunCause } from "./run-cause.tsx";
import { RunLog } from "./run-log.tsx";
import { Transcript } from "./transcript.tsx";

type RunView = AnswerOf<"runs.get">;
const from = "/$prefix/runs/$runId";

/** One execution of an agent, as it goes on. */
export function RunPage(): ReactNode {
  const { runId } = useParams({ from });
  const { data: run, error } = useAsk("runs.get", { params: { runId } });
  if (run === undefined) return error === null ? <Waiting /> : <NotShown error={error} what="This run" />;
  return (
    <>
      <RunHead run={run} />
      <Outcome run={run} />
      <RunTabs run={run} />
    </>
  );
}

function RunHead({ run }: { readonly run: RunView }): ReactNode {
  const { issuePrefix: prefix } = useCompany();
  const agent = useAgents().get(run.agentId);
  const name = agent?.name ?? "An agent";
  return (
    <PageHead
      above={
        <Link
          to="/$prefix/agents/$agentKey"
          params={{ prefix, agentKey: agent?.urlKey ?? run.agentId }}
          search={{ tab: "runs" }}
          className="hover:underline"
        >
          {name} / Runs
        </Link>
      }
      title={run.wakes.at(-1)?.reason ?? `A run of ${name}`}
      aside={<RunActions run={run} />}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-sm">
        <StateBadge state={run.status} />
        {run.waitingFor !== null && <span>waits: {wordsOf(run.waitingFor).toLowerCase()}</span>}
        {run.ending !== null && <span>is being ended: {wordsOf(run.ending).toLowerCase()}</span>}
        <Moment at={run.startedAt ?? run.createdAt} />
        {run.startedAt !== null && run.finishedAt !== null && <span>took {lasted(run.startedAt, run.finishedAt)}</span>}
        {run.usage.costCents > 0 && <Money cents={run.usage.costCents} />}
        {run.attempt > 1 && <span>attempt {run.attempt}</span>}
        {(run.signal ?? run.exitCode) !== null && run.exitCode !== 0 && <span>exit {run.signal ?? run.exitCode}</span>}
      </p>
    </PageHead>
  );
}

/** Why it ended, in the service's words, where it did not end well. */
function Outcome({ run: { cause } }: { readonly run: RunView }): ReactNode {
  if (cause === null || cause.code === "ok") return null;
  const waits = { board: "You have to do something about it.", service: "Roster tries it again.", nobody: "" };
  return (
    <Card className="flex flex-col gap-1 border-bad/30 bg-bad-soft px-4 py-3">
      <p className="font-medium text-bad">{wordsOf(cause.code)}</p>
      <p>{cause.message}</p>
      <p className="text-ink-soft text-sm">{waits[cause.nextActor]}</p>
    </Card>
  );
}

function RunTabs({ run }: { readonly run: RunView }): ReactNode {
  const { tab = "transcript" } = useSearch({ from });
  const navigate = useNavigate({ from });
  const tabs = [
    { key: "transcript", label: "Transcript", content: <Transcript key={run.id} runId={run.id} /> },
    { key: "log", label: "Log", content: <RunLog run={run} /> },
    { key: "cause", label: "Cause and details", content: <RunCause run={run} /> },
  ] as const;
  const choose = (chosen: string): void => {
    const key = tabs.find((known) => known.key === chosen)?.key ?? "transcript";
    void navigate({ search: key === "transcript" ? {} : { tab: key }, replace: true });
  };
  return <Tabs label="Run" tabs={tabs} chosen={tab} onChoose={choose} />;
}
