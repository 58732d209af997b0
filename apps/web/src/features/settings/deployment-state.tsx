import { type ReactNode, useState } from "react";
import { useAsk, useCommand } from "../../api/queries.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Moment } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, Section } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";

/** Whether runs start at all, in any company. */
export function DeploymentState(): ReactNode {
  const { data, error } = useAsk("instance.get", {});
  const resume = useCommand("instance.resume", () => toast("Runs start again"));
  const [asksToStop, setAsksToStop] = useState(false);
  const isStopped = data?.status === "stopped";
  return (
    <Section title="The whole deployment">
      <Refusal error={error ?? resume.error} />
      {data !== undefined && (
        <Card className="flex flex-wrap items-center justify-between gap-4 p-5">
          <p className="max-w-prose text-ink-soft text-sm">
            {isStopped ? "Stopped: no run starts, in any company." : "Runs start, in every company that works."}{" "}
            {data.stoppedAt !== null && (
              <>
                Since <Moment at={data.stoppedAt} />.
              </>
            )}{" "}
            {data.runsUnderWay === 1 ? "1 run is under way." : `${data.runsUnderWay} runs are under way.`}
          </p>
          {isStopped ? (
            <Button look="primary" busy={resume.isPending} onClick={() => resume.mutate({})}>
              Let runs start again
            </Button>
          ) : (
            <Button look="danger" onClick={() => setAsksToStop(true)}>
              Stop all runs
            </Button>
          )}
        </Card>
      )}
      {asksToStop && <AskToStop onClose={() => setAsksToStop(false)} />}
    </Section>
  );
}

function AskToStop({ onClose }: { readonly onClose: () => void }): ReactNode {
  const stop = useCommand("instance.stop", onClose);
  return (
    <Confirm
      title="Stop all runs?"
      verb="Stop all runs"
      busy={stop.isPending}
      error={stop.error}
      onConfirm={() => stop.mutate({})}
      onClose={onClose}
    >
      In every company: no run starts, and those under way end and are queued again, until runs are let start again.
    </Confirm>
  );
}
