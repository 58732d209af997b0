import { type Issue, isRefused, versionOf } from "@roster/client";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { hasDraft, useKept } from "../../app/draft.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { TextArea, TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { toast } from "../../design/toast.tsx";
import { type Choices, EditConflict } from "./edit-conflict.tsx";
import { changedIn, mergeOf, type Written } from "./merge.ts";

/** An edit that is not saved: what was written, and what was there when it was begun. */
interface IssueEdit {
  readonly version: number;
  readonly base: Written;
  readonly mine: Written;
}

const editKey = (issueId: string): string => `edit issue ${issueId}`;

/** True where an edit of the issue was begun in this tab and neither saved nor discarded. */
export const hasEdit = (issueId: string): boolean => hasDraft(editKey(issueId));

const writtenIn = ({ title, description }: Issue): Written => ({ title, description: description ?? "" });

/**
 * Changes what an issue says. What somebody else changed meanwhile is put together with what was written here; where both
 * changed the same, the person chooses, field by field. What was written stays until it is saved or discarded.
 */
export function EditIssue({ issue, onClose }: { readonly issue: Issue; readonly onClose: () => void }): ReactNode {
  const edit = useIssueEdit(issue, onClose);
  const { mine, change, conflict } = edit;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    edit.save();
  };
  return (
    <Dialog title={`Edit ${issue.identifier}`} onClose={onClose} wide>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Title"
          required
          value={mine.title}
          wrong={wrongAt(change.error, "title")}
          onChange={({ target }) => edit.write({ ...mine, title: target.value })}
        />
        <TextArea
          label="Description"
          hint="Markdown"
          className="min-h-48"
          value={mine.description}
          wrong={wrongAt(change.error, "description")}
          onChange={({ target }) => edit.write({ ...mine, description: target.value })}
        />
        {conflict !== null && (
          <EditConflict
            conflict={conflict}
            mine={mine}
            theirs={writtenIn(issue)}
            choices={edit.choices}
            onChoose={edit.choose}
          />
        )}
        {!edit.isLate && <Refusal error={change.error} saidAt={["title", "description"]} />}
        <div className="flex justify-end gap-2">
          <Button look="quiet" onClick={edit.discard}>
            Discard
          </Button>
          <Button type="submit" look="primary" busy={change.isPending || edit.isMerging}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function useIssueEdit(issue: Issue, onClose: () => void) {
  const [draft, setDraft] = useKept<IssueEdit>(editKey(issue.id));
  const [choices, setChoices] = useState<Choices>({});
  const change = useCommand("issues.change", () => {
    setDraft(null);
    toast(`Saved ${issue.identifier}`);
    onClose();
  });
  const present = { version: versionOf(issue), base: writtenIn(issue), mine: writtenIn(issue) };
  const { version, base, mine } = draft ?? present;
  const isLate = isRefused(change.error, "stale_revision");
  const merge = isLate && version !== present.version ? mergeOf(base, mine, present.base) : null;
  const send = (wanted: Written, to: Pick<IssueEdit, "version" | "base">): void => {
    const { description, ...changed } = changedIn(to.base, wanted);
    const body = { ...changed, ...(description !== undefined && { description: description || null }) };
    change.mutate({ params: { issueId: issue.id }, body, ifMatch: to.version });
  };
  const sendMerged = (): void => {
    if (merge === null) return;
    const taken = merge.conflicts.filter((field) => choices[field] === "theirs");
    send({ ...merge.merged, ...Object.fromEntries(taken.map((field) => [field, present.base[field]])) }, present);
  };
  // What does not contradict is put together without a question.
  const isMerging = merge !== null && merge.conflicts.length === 0 && !change.isPending;
  useEffect(() => {
    if (isMerging) sendMerged();
  });
  return {
    mine,
    change,
    choices,
    isLate,
    isMerging,
    conflict: merge !== null && merge.conflicts.length > 0 ? merge : null,
    write: (next: Written) => setDraft({ version, base, mine: next }),
    choose: (choice: Choices) => setChoices({ ...choices, ...choice }),
    save: () => (merge === null ? send(mine, { version, base }) : sendMerged()),
    discard: () => {
      setDraft(null);
      onClose();
    },
  };
}
