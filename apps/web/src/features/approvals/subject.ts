import type { Approval } from "@roster/client";

/** What is asked, in a line. What the payload of each type holds is the contract's. Pure. */
export function subjectOf({ type, payload }: Pick<Approval, "type" | "payload">): string {
  const text = (name: string): string => (typeof payload[name] === "string" ? payload[name] : "");
  if (type === "hire_agent") return `Hire ${text("name")}, ${text("title") || text("role")}`;
  if (type === "config_change") return `Change ${text("agentName")}`;
  if (type === "budget_override") return `Larger budget for ${text("agentName") || text("name") || "the company"}`;
  return text("title");
}
