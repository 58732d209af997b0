import { agentIcons, agentProposal, env } from "@roster/contract";
import { address, type DocumentSource, documentPaths } from "./document-source.ts";
import { fence } from "./example-fence.ts";
import { fieldReference } from "./field-reference.ts";
import { hireExample } from "./hire-example.ts";

/** `/llms/agent-configuration.txt`: how to hire an agent, every field of the request, and the rules. */
export function agentConfigurationText(source: DocumentSource): string {
  return [
    "# Hiring an agent",
    "",
    "Made from the schemas that check your request: what is written here is what is accepted.",
    "",
    ...whatToDo(source),
    "",
    ...example(source),
    "",
    ...answer(source),
    "",
    "## Fields",
    "",
    "A field that is not listed here is refused.",
    "",
    fieldReference(agentProposal),
    "",
    ...rules(source),
    "",
    ...adapters(source),
    "",
  ].join("\n");
}

function whatToDo(source: DocumentSource): string[] {
  const at = (path: string) => address(source, path);
  return [
    "## What to do",
    "",
    `Send every request with the header: Authorization: Bearer $${env("API_KEY")}`,
    "",
    `1. GET ${at("/api/agents/me")} tells who you are. Its companyId is the :companyId below.`,
    `2. GET ${at("/api/companies/:companyId/agent-configurations")} shows how your colleagues are configured; a similar one is a good start.`,
    `3. GET ${at("/api/companies/:companyId/skills")} lists the skills you can give the new agent.`,
    "4. Choose an adapter from the list at the end and read its document.",
    "5. Write the body to hire.json, after the example below, and send it:",
    "",
    `curl -sS -X POST ${at(`/api/companies/$${env("COMPANY_ID")}/agent-hires`)} -H "Authorization: Bearer $${env("API_KEY")}" -H "Content-Type: application/json" -H "Idempotency-Key: <a new UUID for this hire>" --data @hire.json`,
  ];
}

function example(source: DocumentSource): string[] {
  const spec = source.specs[0];
  if (spec === undefined) return ["## Example", "", "No adapter is installed, so nobody can be hired."];
  return [
    "## Example",
    "",
    "A complete body of POST /api/companies/:companyId/agent-hires, between the two lines of equals signs:",
    "",
    fence(hireExample(spec)),
  ];
}

function answer(source: DocumentSource): string[] {
  return [
    "## The answer",
    "",
    '- 201 with { "agent", "approval" }. When approval is null, the agent is idle and ready.',
    "- Otherwise the agent is pending_approval until the board decides: it cannot run, be assigned work or have keys. Do not wait for it and do not ask again; end your run.",
    `- You are woken when it is decided, with ${env("APPROVAL_ID")}, ${env("APPROVAL_STATUS")} and ${env("LINKED_ISSUE_IDS")} set. Then go through the linked issues: close or update what the hire was for.`,
    `- Status revision_requested: read decisionNote and the comments (GET ${address(source, "/api/approvals/:approvalId")} and .../comments), then POST ${address(source, "/api/approvals/:approvalId/resubmit")} with { "payload": only what changes }.`,
    '- A refusal is { "error", "code", "details", "requestId" }; details say which field was wrong and what would be right. Correct that and send again.',
    "- POST /api/companies/:companyId/agents takes the same body and creates the agent at once; it is only for callers who may do so, in companies that require no approval.",
  ];
}

function rules(source: DocumentSource): string[] {
  return [
    "## Rules",
    "",
    "- Timer heartbeats: leave runtimeConfig.heartbeat.enabled false. Agents are woken by assignments, comments and approvals. Only for recurring scheduled work, or when explicitly asked, set it to true together with intervalSec.",
    `- icon: exactly one of the ${agentIcons.length} names of ${address(source, documentPaths.icons)}; any other is refused.`,
    "- desiredSkills: each entry is a skill's id, its canonical key (such as owner/repo/slug) or its slug where that is unique in the company. The answer shows canonical keys. Give only skills the work needs.",
    '- Secrets go into adapterConfig.env and nowhere else: best as { "type": "secret_ref", "secretId": id, "version": "latest" }. Never write one into a prompt, an instruction file, an argument, a header or an address.',
    "- instructionsBundle holds the agent's standing instructions as files; adapterConfig.promptTemplate is the prompt of each run. With a promptTemplate alone, it becomes the instructions as well.",
    "- reportsTo is an agent of the same company, usually you or your manager; capabilities says in a sentence what the agent owns, so that others know whom to ask.",
    "- Name the issue that made you ask in sourceIssueId (several: sourceIssueIds), so that the board sees why and you are woken with it.",
    `- To have an agent changed that is there already, yourself included, ask the board: ${address(source, documentPaths.agentWork)}`,
    "- budgetMonthlyCents is in cents, 0 means no limit. Set a limit. runtimeConfig.maxRunCostCents is the most one run may cost; while it is under way it holds that of the budget, and without it, what earlier runs cost.",
    '- An agent whose budget is spent is paused until the board decides or the month ends. Ask for more before: POST /api/companies/:companyId/approvals { "type": "budget_override", "payload": { "agentId", "proposedBudgetMonthlyCents", "reason" } }, for yourself or for one below you.',
  ];
}

function adapters(source: DocumentSource): string[] {
  return [
    "## Adapters",
    "",
    "adapterType names one of these; adapterConfig is described in its document:",
    "",
    ...source.specs.map((spec) => {
      return `- ${spec.type} (${spec.title}): ${spec.description} ${address(source, documentPaths.adapter(spec.type))}`;
    }),
  ];
}
