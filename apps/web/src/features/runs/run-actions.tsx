import { Link, useNavigate } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/operations.ts";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { Button, buttonClass } from "../../design/button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { toast } from "../../design/toast.tsx";

type RunView = AnswerOf<"runs.get">;
const longestReason = 500;

/** What can be done about a run: end it, let it go on, run its agent again about the same. */
export function RunActions({ run }: { readonly run: RunView }): ReactNode {
  const { issuePrefix: prefix } = useCompany();
  const params = { runId: run.id };
  const mayCancel = useMay("runs.cancel");
  const mayRelease = useMay("runs.release");
  const mayWake = useMay("runs.wakeup");
  const cancel = useCommand("runs.cancel", () => toast("It is being ended"));
  const release = useCommand("runs.release", () => toast("It goes on"));
  const again = useAgain(run);
  const isOpen = run.finishedAt === null;
  return (
    <>
      {run.issueId !== null && (
        <Link to="/$prefix/issues/$identifier" params={{ prefix, identifier: run.issueId }} className={buttonClass()}>
          Its issue
        </Link>
      )}
      {run.approvalId !== null && (
        <Link
          to="/$prefix/approvals/$approvalId"
          params={{ prefix, approvalId: run.approvalId }}
          className={buttonClass()}
        >
          Its approval
        </Link>
      )}
      {mayRelease && run.waitingFor === "cause_exhausted" && (
        <Button look="primary" busy={release.isPending} onClick={() => release.mutate({ params })}>
          Let it go on
        </Button>
      )}
      {mayCancel && isOpen && run.ending === null && (
        <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate({ params })}>
          Cancel
        </Button>
      )}
      {mayWake && !isOpen && (
        <Button icon={<RotateCw size={14} aria-hidden="true" />} busy={again.isPending} onClick={again.run}>
          Run again
        </Button>
      )}
      <Refusal error={cancel.error ?? release.error ?? again.error} />
    </>
  );
}

/** Wakes the agent once more for the same reason and issue, and goes to the run that comes of it. */
function useAgain(run: RunView) {
  const { issuePrefix: prefix } = useCompany();
  const navigate = useNavigate();
  const wake = useCommand("runs.wakeup", ({ run: next, coalesced }) => {
    if (next === null) {
      toast("It led to no run");
      return;
    }
    toast(coalesced ? "It joined a run that was queued already" : "Queued");
    void navigate({ to: "/$prefix/runs/$runId", params: { prefix, runId: next.id }, search: {} });
  });
  const reason = (run.wakes.at(-1)?.reason ?? "Run again").slice(0, longestReason);
  return {
    isPending: wake.isPending,
    error: wake.error,
    run: () => wake.mutate({ params: { agentId: run.agentId }, body: { reason, issueId: run.issueId } }),
  };
}
