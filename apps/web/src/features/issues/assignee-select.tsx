import type { Issue } from "@roster/client";
import type { ReactNode } from "react";
import { useAsk } from "../../api/queries.ts";
import { Select } from "../../design/field.tsx";
import { useAgents, usePeople } from "../people/names.ts";

/** Who is to do an issue: an agent, a person, or nobody. */
export type Assignee = Pick<Issue, "assigneeAgentId" | "assigneeUserId">;

/** Nobody is to do it. */
export const nobody: Assignee = { assigneeAgentId: null, assigneeUserId: null };

interface SelectParts {
  readonly label: string;
  /** Null where several have not the same one. */
  readonly value: Assignee | null;
  readonly bare?: boolean;
  readonly wrong?: string | undefined;
  readonly onChoose: (assignee: Assignee) => void;
}

/** Chooses who is to do an issue, among the agents that can be given one and the people of the company. */
export function AssigneeSelect({ label, value, bare = false, wrong, onChoose }: SelectParts): ReactNode {
  const agents = [...useAgents().values()].filter(
    ({ id, status }) => id === value?.assigneeAgentId || !["pending_approval", "paused", "terminated"].includes(status),
  );
  const people = [...usePeople().values()];
  const { data } = useAsk("auth.session", {});
  const me = data?.user;
  const others = people.filter(({ id }) => id !== me?.id);
  return (
    <Select
      label={label}
      bare={bare}
      wrong={wrong}
      value={value === null ? "none" : keyOf(value)}
      onChange={({ target }) => onChoose(assigneeOf(target.value))}
    >
      {value === null && (
        <option value="none" disabled>
          Assignee…
        </option>
      )}
      <option value="">Nobody</option>
      <optgroup label="Agents">
        {agents.map(({ id, name }) => (
          <option key={id} value={`agent ${id}`}>
            {name}
          </option>
        ))}
      </optgroup>
      <optgroup label="People">
        {me !== undefined && <option value={`user ${me.id}`}>Me</option>}
        {others.map(({ id, name }) => (
          <option key={id} value={`user ${id}`}>
            {name}
          </option>
        ))}
      </optgroup>
    </Select>
  );
}

function keyOf({ assigneeAgentId, assigneeUserId }: Assignee): string {
  if (assigneeAgentId !== null) return `agent ${assigneeAgentId}`;
  return assigneeUserId === null ? "" : `user ${assigneeUserId}`;
}

function assigneeOf(key: string): Assignee {
  const [kind, id = null] = key.split(" ");
  if (kind === "agent") return { ...nobody, assigneeAgentId: id };
  return kind === "user" ? { ...nobody, assigneeUserId: id } : nobody;
}
