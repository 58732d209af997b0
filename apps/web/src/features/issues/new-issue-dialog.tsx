import type { Issue } from "@roster/client";
import { issuePriorities } from "@roster/contract";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent, ReactNode } from "react";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useKept } from "../../app/draft.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Select, TextArea, TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { toast } from "../../design/toast.tsx";
import { wordsOf } from "../../design/words.ts";
import { AssigneeSelect, nobody } from "./assignee-select.tsx";

type Form = Pick<Issue, "title" | "priority" | "assigneeAgentId" | "assigneeUserId"> & { readonly description: string };

const empty: Form = { title: "", description: "", priority: "medium", ...nobody };
const saidAtFields = ["title", "description", "priority", "assigneeAgentId", "assigneeUserId"];

interface DialogParts {
  /** The issue that the new one is a part of. */
  readonly parent?: Issue;
  readonly onClose: () => void;
}

/** Makes an issue, and goes to it. What is written stays until it is made, also when the dialog is closed. */
export function NewIssueDialog({ parent, onClose }: DialogParts): ReactNode {
  const { id, issuePrefix } = useCompany();
  const navigate = useNavigate();
  const [draft, setDraft] = useKept<Form>(`new issue ${parent?.id ?? id}`);
  const form = draft ?? empty;
  const set = (part: Partial<Form>): void => setDraft({ ...form, ...part });
  const create = useCommand("issues.create", ({ identifier }) => {
    setDraft(null);
    toast(`Created ${identifier}`);
    // Where the dialog stands in the address, going away closes it.
    if (parent !== undefined) onClose();
    void navigate({ to: "/$prefix/issues/$identifier", params: { prefix: issuePrefix, identifier } });
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { ...form, description: form.description || null, parentId: parent?.id ?? null };
    create.mutate({ params: { companyId: id }, body });
  };
  return (
    <Dialog title={parent === undefined ? "New issue" : `New part of ${parent.identifier}`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <FormFields form={form} error={create.error} onWrite={set} />
        <Refusal error={create.error} saidAt={saidAtFields} />
        <Button type="submit" look="primary" className="self-end" busy={create.isPending}>
          Create issue
        </Button>
      </form>
    </Dialog>
  );
}

interface FieldParts {
  readonly form: Form;
  readonly error: unknown;
  readonly onWrite: (part: Partial<Form>) => void;
}

function FormFields({ form, error, onWrite }: FieldParts): ReactNode {
  return (
    <>
      <TextField
        label="Title"
        required
        value={form.title}
        wrong={wrongAt(error, "title")}
        onChange={({ target }) => onWrite({ title: target.value })}
      />
      <TextArea
        label="Description"
        hint="Markdown"
        value={form.description}
        wrong={wrongAt(error, "description")}
        onChange={({ target }) => onWrite({ description: target.value })}
      />
      <div className="grid grid-cols-2 gap-3">
        <AssigneeSelect
          label="Assignee"
          value={form}
          wrong={wrongAt(error, "assigneeAgentId") ?? wrongAt(error, "assigneeUserId")}
          onChoose={onWrite}
        />
        <Select
          label="Priority"
          value={form.priority}
          wrong={wrongAt(error, "priority")}
          onChange={({ target }) => onWrite({ priority: issuePriorities[target.selectedIndex] ?? "medium" })}
        >
          {issuePriorities.map((name) => (
            <option key={name} value={name}>
              {wordsOf(name)}
            </option>
          ))}
        </Select>
      </div>
    </>
  );
}
