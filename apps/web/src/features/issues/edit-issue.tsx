import { type Issue, isRefused, versionOf } from "@roster/client";
import { type FormEvent, type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { TextArea, TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";

/** Changes what an issue says. Who is slower than somebody else sees what is there now, and chooses. */
export function EditIssue({ issue, onClose }: { readonly issue: Issue; readonly onClose: () => void }): ReactNode {
  // What was there when one began to write: only that may be replaced without a look.
  const [base, setBase] = useState(issue);
  const [title, setTitle] = useState(issue.title);
  const [description, setDescription] = useState(issue.description ?? "");
  const change = useCommand("issues.change", onClose);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { title, description: description === "" ? null : description };
    change.mutate({ params: { issueId: issue.id }, body, ifMatch: versionOf(base) });
  };
  const isLate = isRefused(change.error, "stale_revision");
  const begin = (keepsMine: boolean): void => {
    setBase(issue);
    change.reset();
    if (keepsMine) return;
    setTitle(issue.title);
    setDescription(issue.description ?? "");
  };
  return (
    <Dialog title={`Edit ${issue.identifier}`} onClose={onClose} wide>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Title"
          required
          value={title}
          wrong={wrongAt(change.error, "title")}
          onChange={({ target }) => setTitle(target.value)}
        />
        <TextArea
          label="Description"
          hint="Markdown"
          className="min-h-48"
          value={description}
          wrong={wrongAt(change.error, "description")}
          onChange={({ target }) => setDescription(target.value)}
        />
        {isLate ? (
          <Late issue={issue} onChoose={begin} />
        ) : (
          <Refusal error={change.error} saidAt={["title", "description"]} />
        )}
        <Button type="submit" look="primary" className="self-end" busy={change.isPending} disabled={isLate}>
          Save
        </Button>
      </form>
    </Dialog>
  );
}

function Late({
  issue,
  onChoose,
}: {
  readonly issue: Issue;
  readonly onChoose: (keepsMine: boolean) => void;
}): ReactNode {
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-md border border-line bg-warn-soft p-3 text-sm">
      <p className="font-medium text-warn">Somebody changed it meanwhile. It says now:</p>
      <p className="font-medium">{issue.title}</p>
      <p className="max-h-40 overflow-auto whitespace-pre-wrap">{issue.description}</p>
      <div className="flex gap-2">
        <Button onClick={() => onChoose(false)}>Take theirs</Button>
        <Button onClick={() => onChoose(true)}>Keep what I wrote</Button>
      </div>
    </div>
  );
}
