import type { Agent } from "@roster/client";
import { agentIcons } from "@roster/contract";
import type { ReactNode } from "react";
import { Checkbox } from "../../design/checkbox.tsx";
import { Face } from "../../design/face.tsx";
import { Select, TextArea, TextField } from "../../design/field.tsx";
import { wrongAt } from "../../design/refusal.tsx";
import { wordsOf } from "../../design/words.ts";
import { useAgents } from "../people/names.ts";
import type { AgentDraft } from "./use-agent-draft.ts";

interface Parts {
  readonly drafting: AgentDraft;
  readonly error: unknown;
}

const orNull = (typed: string): string | null => (typed === "" ? null : typed);

/** Name, role, title, face, manager, and what it is for. */
export function WhoFields({ agent, drafting, error }: Parts & { readonly agent: Agent }): ReactNode {
  const { draft, change } = drafting;
  const others = [...useAgents().values()].filter(({ id, status }) => id !== agent.id && status !== "terminated");
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Name"
        value={draft.name}
        wrong={wrongAt(error, "name")}
        onChange={({ target }) => change({ name: target.value })}
      />
      <TextField
        label="Role"
        value={draft.role}
        wrong={wrongAt(error, "role")}
        onChange={({ target }) => change({ role: target.value })}
      />
      <TextField
        label="Title"
        value={draft.title ?? ""}
        wrong={wrongAt(error, "title")}
        onChange={({ target }) => change({ title: orNull(target.value) })}
      />
      <Select
        label="Reports to"
        value={draft.reportsTo ?? ""}
        wrong={wrongAt(error, "reportsTo")}
        onChange={({ target }) => change({ reportsTo: orNull(target.value) })}
      >
        <option value="">Nobody</option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <FaceField drafting={drafting} error={error} />
      <div className="sm:col-span-2">
        <TextArea
          label="What it owns and can do"
          hint="For those who assign work"
          value={draft.capabilities ?? ""}
          wrong={wrongAt(error, "capabilities")}
          onChange={({ target }) => change({ capabilities: orNull(target.value) })}
        />
      </div>
    </div>
  );
}

function FaceField({ drafting: { draft, change }, error }: Parts): ReactNode {
  return (
    <div className="flex items-end gap-3">
      <Face icon={draft.icon} />
      <div className="flex-1">
        <Select
          label="Face"
          value={draft.icon ?? ""}
          wrong={wrongAt(error, "icon")}
          onChange={({ target }) => change({ icon: orNull(target.value) })}
        >
          <option value="">The usual</option>
          {agentIcons.map((icon) => (
            <option key={icon} value={icon}>
              {wordsOf(icon.replaceAll("-", " "))}
            </option>
          ))}
        </Select>
      </div>
    </div>
  );
}

const permissions = [
  ["canAssignTasks", "Assign issues to anyone", "Without it: to itself and to those who report to it"],
  ["canCreateAgents", "Hire without asking", "Where the company asks for no approval"],
  ["canManageSkills", "Manage skills", "Import skills, and sync those of others"],
] as const;

/** What it may do beyond its own issues. */
export function PermissionFields({ drafting: { draft, change } }: Pick<Parts, "drafting">): ReactNode {
  return (
    <div className="flex flex-col gap-3">
      {permissions.map(([name, label, hint]) => (
        <Checkbox
          key={name}
          label={label}
          hint={hint}
          checked={draft.permissions[name]}
          onChange={({ target }) => change({ permissions: { ...draft.permissions, [name]: target.checked } })}
        />
      ))}
    </div>
  );
}
