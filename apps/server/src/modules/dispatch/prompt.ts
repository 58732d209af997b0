import type { PromptVariable } from "@roster/adapter";
import { env } from "@roster/contract";
import type { OrderParts } from "./store.ts";

/** The prompt of agents that have none of their own. */
const ordinaryPrompt = [
  "You are {{agent.name}}, {{agent.role}} at {{company.name}}. You were woken: {{run.wakeReason}}.",
  `The service is at $${env("API_URL")}; send $${env("API_KEY")} as Authorization: Bearer.`,
  "GET /api/agents/me says who you are. GET /api/companies/:companyId/issues?assigneeAgentId=<your id> lists your work:",
  "check an issue out, do it, comment on it with what you did, and set its status to done.",
  "GET /llms/agent-work.txt has these calls and all others that your work needs, each with a body.",
].join("\n");

/** The prompt of a run: its agent's template with every variable put in; what is no variable stays. Pure. */
export function promptOf(parts: OrderParts): string {
  const template = parts.content.adapterConfig["promptTemplate"];
  const values: Readonly<Record<string, string>> = valuesOf(parts);
  return (typeof template === "string" ? template : ordinaryPrompt).replace(
    /\{\{\s*([\w.]+)\s*\}\}/g,
    (whole, name: string) => values[name] ?? whole,
  );
}

function valuesOf({ run, agent, company, wakes }: OrderParts): Record<PromptVariable, string> {
  return {
    "agent.id": run.agentId,
    "agent.name": agent.name,
    "agent.role": agent.role,
    "agent.title": agent.title ?? "",
    "agent.capabilities": agent.capabilities ?? "",
    "company.id": run.companyId,
    "company.name": company.name,
    "run.id": run.id,
    "run.wakeReason": wakes[0]?.reason ?? "",
    "issue.id": run.issueId ?? "",
    "approval.id": run.approvalId ?? "",
    "approval.status": run.approvalStatus ?? "",
  };
}
