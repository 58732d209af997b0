import type { ReactNode } from "react";
import { Select } from "../../design/field.tsx";
import { useAgents } from "../people/names.ts";

/** Who is to do an issue, among the agents that can be given one. */
export function AssigneeSelect({
  label,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly value: string | null;
  readonly onChoose: (agentId: string | null) => void;
}): ReactNode {
  const agents = [...useAgents().values()];
  const able = agents.filter(
    ({ id, status }) => id === value || !["pending_approval", "paused", "terminated"].includes(status),
  );
  return (
    <Select
      label={label}
      value={value ?? ""}
      onChange={({ target }) => onChoose(target.value === "" ? null : target.value)}
    >
      <option value="">Nobody</option>
      {able.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
