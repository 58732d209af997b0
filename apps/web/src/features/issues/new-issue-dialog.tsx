import { issuePriorities } from "@roster/contract";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useDraft } from "../../app/draft.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Select, TextArea, TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { toast } from "../../design/toast.tsx";
import { wordsOf } from "../../design/words.ts";
import { AssigneeSelect } from "./assignee-select.tsx";

/** Makes an issue, and goes to it. */
export function NewIssueDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { id, issuePrefix } = useCompany();
  const navigate = useNavigate();
  const [title, setTitle] = useDraft(`new issue title ${id}`);
  const [description, setDescription] = useDraft(`new issue ${id}`);
  const [priority, setPriority] = useState<(typeof issuePriorities)[number]>("medium");
  const [assigneeAgentId, setAssignee] = useState<string | null>(null);
  const create = useCommand("issues.create", ({ identifier }) => {
    setTitle("");
    setDescription("");
    toast(`Created ${identifier}`);
    void navigate({ to: "/$prefix/issues/$identifier", params: { prefix: issuePrefix, identifier } });
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { title, description: description === "" ? null : description, priority, assigneeAgentId };
    create.mutate({ params: { companyId: id }, body });
  };
  return (
    <Dialog title="New issue" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Title"
          required
          value={title}
          wrong={wrongAt(create.error, "title")}
          onChange={({ target }) => setTitle(target.value)}
        />
        <TextArea
          label="Description"
          hint="Markdown"
          value={description}
          wrong={wrongAt(create.error, "description")}
          onChange={({ target }) => setDescription(target.value)}
        />
        <div className="grid grid-cols-2 gap-3">
          <AssigneeSelect label="Assignee" value={assigneeAgentId} onChoose={setAssignee} />
          <Select
            label="Priority"
            value={priority}
            onChange={({ target }) => setPriority(issuePriorities[target.selectedIndex] ?? "medium")}
          >
            {issuePriorities.map((name) => (
              <option key={name} value={name}>
                {wordsOf(name)}
              </option>
            ))}
          </Select>
        </div>
        <Refusal error={create.error} saidAt={["title", "description"]} />
        <Button type="submit" look="primary" className="self-end" busy={create.isPending}>
          Create issue
        </Button>
      </form>
    </Dialog>
  );
}
