import type { FleetRunner } from "@roster/client";
import { useQueryClient } from "@tanstack/react-query";
import { Plus, Server } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useCommand, usePages } from "../../api/queries.ts";
import { useMay } from "../../app/may.ts";
import { Badge, type Tone } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Moment } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { EmptyState, Rows, Section } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { wordsOf } from "../../design/words.ts";
import { DeploymentState } from "./deployment-state.tsx";
import { RegisterRunner } from "./register-runner.tsx";

/** What executes runs, of all companies: for those who run the deployment. */
export function RunnersSection(): ReactNode {
  const may = useMay("fleet.list");
  if (may) return <Fleet />;
  return (
    <Section title="Runners">
      <EmptyState icon={<Server />} title="Runners belong to the deployment">
        Only who runs the deployment sees them.
      </EmptyState>
    </Section>
  );
}

const againMs = 5000;

/** Runners are of no company, so its log tells nothing of them: they are asked again and again while they are seen. */
function useFresh(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      void queries.invalidateQueries({ queryKey: ["fleet"] });
      void queries.invalidateQueries({ queryKey: ["instance"] });
    }, againMs);
    return () => clearInterval(timer);
  }, [queries]);
}

function Fleet(): ReactNode {
  useFresh();
  const { items, query } = usePages("fleet.list", { query: {} });
  const [isOpen, setOpen] = useState(false);
  const add = (
    <Button icon={<Plus size={14} aria-hidden="true" />} onClick={() => setOpen(true)}>
      Register a runner
    </Button>
  );
  return (
    <>
      <Section title="Runners" aside={add}>
        <p className="max-w-prose text-ink-soft text-sm">
          A runner executes agents, on this machine or another. It calls Roster, and needs no open port.
        </p>
        {items.length > 0 && (
          <Rows label="Runners">
            {items.map((runner) => (
              <RunnerRow key={runner.id} runner={runner} />
            ))}
          </Rows>
        )}
        {query.isSuccess && items.length === 0 && (
          <EmptyState icon={<Server />} title="There is no runner">
            Without one no agent runs.
          </EmptyState>
        )}
        <MoreButton query={query} />
      </Section>
      <DeploymentState />
      {isOpen && <RegisterRunner onClose={() => setOpen(false)} />}
    </>
  );
}

const tones: Record<FleetRunner["status"], Tone> = {
  active: "good",
  draining: "warn",
  stopped: "warn",
  removed: "calm",
};

function RunnerRow({ runner }: { readonly runner: FleetRunner }): ReactNode {
  const { name, status, labels, lastSeenAt, runsUnderWay, companyIds } = runner;
  const runs = runsUnderWay === 1 ? "1 run under way" : `${runsUnderWay} runs under way`;
  return (
    <li className="flex flex-col gap-2 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-60 flex-col gap-0.5">
          <span className="flex flex-wrap items-center gap-2">
            <span className="break-all font-medium">{name}</span>
            <Badge tone={tones[status]}>{wordsOf(status)}</Badge>
            {labels.map((label) => (
              <Badge key={label}>{label}</Badge>
            ))}
          </span>
          <span className="text-ink-faint text-xs">
            {runs} · {lastSeenAt === null ? "never seen" : <Seen at={lastSeenAt} />} ·{" "}
            {companyIds === null
              ? "for all companies"
              : `for ${companyIds.length === 1 ? "1 company" : `${companyIds.length} companies`}`}
          </span>
        </div>
        <RunnerMoves runner={runner} />
      </div>
    </li>
  );
}

function Seen({ at }: { readonly at: string }): ReactNode {
  return (
    <>
      last seen <Moment at={at} />
    </>
  );
}

function RunnerMoves({ runner }: { readonly runner: FleetRunner }): ReactNode {
  const { id, name, status } = runner;
  const params = { runnerId: id };
  const drain = useCommand("fleet.drain", () => toast(`${name} gets no more runs`));
  const resume = useCommand("fleet.resume", () => toast(`${name} gets runs again`));
  const [asked, ask] = useState<"stop" | "remove" | null>(null);
  const error = drain.error ?? resume.error;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        {status === "active" && (
          <Button aria-label={`Drain ${name}`} busy={drain.isPending} onClick={() => drain.mutate({ params })}>
            Drain
          </Button>
        )}
        {status !== "active" && (
          <Button aria-label={`Resume ${name}`} busy={resume.isPending} onClick={() => resume.mutate({ params })}>
            Resume
          </Button>
        )}
        {status !== "stopped" && (
          <Button aria-label={`Stop ${name}`} onClick={() => ask("stop")}>
            Stop
          </Button>
        )}
        <Button look="danger" aria-label={`Remove ${name}`} onClick={() => ask("remove")}>
          Remove
        </Button>
      </div>
      <Refusal error={error} />
      {asked !== null && <AskToMove move={asked} runner={runner} onClose={() => ask(null)} />}
    </div>
  );
}

interface MoveParts {
  readonly move: "stop" | "remove";
  readonly runner: FleetRunner;
  readonly onClose: () => void;
}

function AskToMove({ move, runner, onClose }: MoveParts): ReactNode {
  const stop = useCommand("fleet.stop", onClose);
  const remove = useCommand("fleet.remove", onClose);
  const command = move === "stop" ? stop : remove;
  const isStop = move === "stop";
  return (
    <Confirm
      title={`${isStop ? "Stop" : "Remove"} ${runner.name}?`}
      verb={isStop ? "Stop it" : "Remove it"}
      busy={command.isPending}
      error={command.error}
      onConfirm={() => command.mutate({ params: { runnerId: runner.id } })}
      onClose={onClose}
    >
      {isStop
        ? "It gets no more runs, and those it has are ended and queued again for other runners."
        : "Its token is dead at once. It can only be removed while it runs nothing."}
    </Confirm>
  );
}
