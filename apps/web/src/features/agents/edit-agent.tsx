import { type Agent, isRefused, versionOf } from "@roster/client";
import { type FormEvent, type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { TextArea, TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { toast } from "../../design/toast.tsx";
import { BudgetField } from "./budget-field.tsx";
import { centsOf, dollarsOf } from "./dollars.ts";

/** Changes what an agent is called, what it may spend, and the instructions that it reads first. */
export function EditAgent({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }): ReactNode {
  const [base, setBase] = useState(agent);
  const entry = base.instructionsBundle?.entryFile ?? "AGENTS.md";
  const [title, setTitle] = useState(agent.title ?? "");
  const [budget, setBudget] = useState(dollarsOf(agent.budgetMonthlyCents));
  const [text, setText] = useState(agent.instructionsBundle?.files[entry] ?? "");
  const change = useCommand("agents.change", ({ revisionNumber }) => {
    toast(`Saved as revision ${revisionNumber}`);
    onClose();
  });
  const cents = centsOf(budget);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (cents === null) return;
    const files = { ...base.instructionsBundle?.files, [entry]: text };
    const body = {
      title: title.trim() === "" ? null : title,
      budgetMonthlyCents: cents,
      ...(text !== (base.instructionsBundle?.files[entry] ?? "") && {
        instructionsBundle: { entryFile: entry, files },
      }),
    };
    change.mutate({ params: { agentId: agent.id }, body, ifMatch: versionOf(base) });
  };
  return (
    <Dialog title={`Change ${agent.name}`} onClose={onClose} wide>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Title"
            value={title}
            wrong={wrongAt(change.error, "title")}
            onChange={({ target }) => setTitle(target.value)}
          />
          <BudgetField value={budget} error={change.error} onType={setBudget} />
        </div>
        <TextArea
          label={`Instructions (${entry})`}
          className="min-h-64 font-mono text-sm"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Refusal error={change.error} saidAt={["title", "budgetMonthlyCents"]}>
          {isRefused(change.error, "stale_revision") && (
            <KeepMine
              revision={agent.revisionNumber}
              onKeep={() => {
                setBase(agent);
                change.reset();
              }}
            />
          )}
        </Refusal>
        <Button type="submit" look="primary" className="self-end" busy={change.isPending}>
          Save as a new revision
        </Button>
      </form>
    </Dialog>
  );
}

function KeepMine({ revision, onKeep }: { readonly revision: number; readonly onKeep: () => void }): ReactNode {
  return (
    <Button onClick={onKeep} className="self-start">
      Keep what I wrote, over revision {revision}
    </Button>
  );
}
