import { agentIcons } from "@roster/contract";

/** `/llms/agent-icons.txt`: the allowed values of an agent's `icon`, one a line. */
export function iconsText(): string {
  return [
    "# Allowed values of an agent's icon, one a line. Any other value is refused; the names are those of the lucide set.",
    ...agentIcons,
    "",
  ].join("\n");
}
