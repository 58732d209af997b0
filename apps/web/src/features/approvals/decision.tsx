import { type Approval, isRefused } from "@roster/client";
import { type ReactNode, useId } from "react";
import { useCommand } from "../../api/queries.ts";
import { useDraft } from "../../app/draft.ts";
import { useMay } from "../../app/may.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { Card } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";

/** The board's answer, with a note that the requester reads. What is decided is what this page shows, by its digest. */
export function Decision({ approval }: { readonly approval: Approval }): ReactNode {
  const heading = useId();
  const [note, setNote] = useDraft(`decision ${approval.id}`);
  const decided = (how: string): void => {
    setNote("");
    toast(how);
  };
  const approve = useCommand("approvals.approve", () => decided("Approved"));
  const reject = useCommand("approvals.reject", () => decided("Rejected"));
  const revise = useCommand("approvals.requestRevision", () => decided("Sent back for a revision"));
  const may = useMay("approvals.approve");
  if (approval.status !== "pending" || !may) return null;
  const all = [approve, reject, revise];
  const busy = all.some(({ isPending }) => isPending);
  const error = all.find((decision) => decision.error !== null)?.error ?? null;
  const input = {
    params: { approvalId: approval.id },
    body: { decisionNote: note.trim() === "" ? null : note.trim(), payloadDigest: approval.payloadDigest },
  };
  const decide = (decision: typeof approve): void => {
    for (const { reset } of all) reset();
    decision.mutate(input);
  };
  return (
    <section aria-labelledby={heading} className="sticky bottom-16 z-10 md:bottom-4">
      <Card className="flex flex-col gap-3 p-4 shadow-raised">
        <h2 id={heading} className="sr-only">
          Your decision
        </h2>
        <WhatIsDecided approval={approval} />
        <Refusal error={error}>
          {isRefused(error, "payload_changed") && (
            <p>The page shows the new version now: read it, then decide again.</p>
          )}
        </Refusal>
        <div className="flex flex-wrap items-end gap-2">
          <div className="min-w-full flex-1 sm:min-w-56">
            <TextField
              bare
              label="Note to the requester"
              placeholder="A note to the requester"
              value={note}
              wrong={wrongAt(error, "decisionNote")}
              onChange={({ target }) => setNote(target.value)}
            />
          </div>
          <Button look="danger" disabled={busy} onClick={() => decide(reject)}>
            Reject
          </Button>
          <Button disabled={busy} onClick={() => decide(revise)}>
            Ask for a revision
          </Button>
          <Button look="primary" disabled={busy} onClick={() => decide(approve)}>
            Approve
          </Button>
        </div>
      </Card>
    </section>
  );
}

function WhatIsDecided({ approval: { payloadVersion, payloadDigest } }: { readonly approval: Approval }): ReactNode {
  return (
    <p className="text-ink-faint text-xs">
      You decide version {payloadVersion}, as this page shows it:{" "}
      <code className="font-mono" title={payloadDigest}>
        {payloadDigest.slice(0, 12)}
      </code>
    </p>
  );
}
