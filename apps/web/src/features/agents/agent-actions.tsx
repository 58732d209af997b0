import type { Agent } from "@roster/client";
import { type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { useMay } from "../../app/may.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { toast } from "../../design/toast.tsx";

/** What can be done with an agent as it is now. */
export function AgentActions({ agent }: { readonly agent: Agent }): ReactNode {
  const params = { agentId: agent.id };
  const wake = useCommand("runs.invoke", ({ coalesced }) => toast(coalesced ? "It was queued already" : "Woken"));
  const pause = useCommand("agents.pause", () => toast("Paused"));
  const resume = useCommand("agents.resume", () => toast("Resumed"));
  const [asksToEnd, setAsksToEnd] = useState(false);
  const error = wake.error ?? pause.error ?? resume.error;
  const may = useMay("agents.pause");
  if (!may || agent.status === "terminated" || agent.status === "pending_approval") return null;
  const isPaused = agent.status === "paused";
  return (
    <>
      {isPaused ? (
        <Button look="primary" busy={resume.isPending} onClick={() => resume.mutate({ params })}>
          Resume
        </Button>
      ) : (
        <>
          <Button busy={pause.isPending} onClick={() => pause.mutate({ params })}>
            Pause
          </Button>
          <Button busy={wake.isPending} onClick={() => wake.mutate({ params })}>
            Wake
          </Button>
        </>
      )}
      <Button look="danger" onClick={() => setAsksToEnd(true)}>
        Terminate
      </Button>
      {error !== null && <Refusal error={error} />}
      {asksToEnd && <TerminateDialog agent={agent} onClose={() => setAsksToEnd(false)} />}
    </>
  );
}

function TerminateDialog({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }): ReactNode {
  const terminate = useCommand("agents.terminate", () => {
    toast(`${agent.name} is terminated`);
    onClose();
  });
  return (
    <Dialog title={`Terminate ${agent.name}?`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">
          It never runs again, its runs end and its credentials are dead. Its history stays. Pausing can be taken back;
          this cannot.
        </p>
        <Refusal error={terminate.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Keep it</Button>
          <Button
            look="danger"
            busy={terminate.isPending}
            onClick={() => terminate.mutate({ params: { agentId: agent.id } })}
          >
            Terminate for good
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
