import { type Approval, isRefused } from "@roster/client";
import { type ReactNode, useId } from "react";
import { useCommand } from "../../api/queries.ts";
import { useDraft } from "../../app/draft.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/field.tsx";
import { Markdown } from "../../design/markdown.tsx";
import { Money } from "../../design/measures.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { Facts } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { wordsOf } from "../../design/words.ts";
import { useAgents } from "../people/names.ts";

/** The heart of a question, and the board's answer to it. What is decided is what is shown, by its digest. */
export function DecideInPlace({ approval }: { readonly approval: Approval }): ReactNode {
  const heading = useId();
  const [note, setNote] = useDraft(`note ${approval.id}`);
  const done = (words: string) => (): void => {
    setNote("");
    toast(words);
  };
  const approve = useCommand("approvals.approve", done("Approved"));
  const reject = useCommand("approvals.reject", done("Rejected"));
  const revise = useCommand("approvals.requestRevision", done("Sent back for a revision"));
  const all = [approve, reject, revise];
  const busy = all.some(({ isPending }) => isPending);
  const error = all.find((decision) => decision.error !== null)?.error ?? null;
  const decide = (decision: typeof approve): void => {
    for (const { reset } of all) reset();
    const decisionNote = note.trim() === "" ? null : note.trim();
    decision.mutate({
      params: { approvalId: approval.id },
      body: { decisionNote, payloadDigest: approval.payloadDigest },
    });
  };
  return (
    <section aria-labelledby={heading} className="flex w-full flex-col gap-3 border-line border-t pt-3">
      <h2 id={heading} className="sr-only">
        Your decision
      </h2>
      <Heart approval={approval} />
      <Refusal error={error} saidAt={["decisionNote"]}>
        {isRefused(error, "payload_changed") && <p>What you see is the new version: read it, then decide again.</p>}
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
    </section>
  );
}

/** What it comes down to; everything else is on its page. */
function Heart({ approval: { type, payload, agentId } }: { readonly approval: Approval }): ReactNode {
  const agent = useAgents().get(agentId ?? "");
  const text = (name: string): string => (typeof payload[name] === "string" ? payload[name] : "");
  const cents = (name: string): ReactNode => <Money cents={Number(payload[name] ?? 0)} />;
  if (type === "board_request") return <Markdown text={text("body")} />;
  if (type === "budget_override") {
    const now =
      agent === undefined ? [] : [["Until now", <Money key="now" cents={agent.budgetMonthlyCents} />] as const];
    const why = text("reason") === "" ? [] : [["Why", text("reason")] as const];
    return <Facts facts={[["Each month", cents("proposedBudgetMonthlyCents")], ...now, ...why]} />;
  }
  if (type === "config_change") return <Facts facts={[["Changes", changedPaths(payload["differences"])]]} />;
  const budget = Number(payload["budgetMonthlyCents"] ?? 0) === 0 ? "No limit" : cents("budgetMonthlyCents");
  return (
    <Facts
      facts={[
        ["Role", text("role")],
        ["Runs as", wordsOf(text("adapterType"))],
        ["Each month", budget],
      ]}
    />
  );
}

/** Where an agent would differ, by the service's own list of it. Pure. */
function changedPaths(differences: unknown): string {
  if (!Array.isArray(differences)) return "See its page";
  return differences.map((difference: { readonly path?: string }) => difference.path ?? "").join(", ");
}
