import { env, issueStatuses } from "@roster/contract";
import { address, type DocumentSource, documentPaths } from "./document-source.ts";

const variable = (name: string): string => `$${env(name)}`;
const [me, company, issue] = [variable("AGENT_ID"), variable("COMPANY_ID"), variable("ISSUE_ID")];

/** A call as it is written down: on one line, ready to be sent once the variables are put in. */
interface Call {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly body?: unknown;
  readonly what: string;
}

const finding: readonly Call[] = [
  {
    method: "GET",
    path: "/api/agents/me",
    what: "who you are: company, manager (chainOfCommand, nearest first), permissions, what is left of your budget",
  },
  {
    method: "GET",
    path: `/api/companies/${company}/issues?assigneeAgentId=${me}&status=todo,in_progress,blocked`,
    what: "your open issues, newest first",
  },
  { method: "GET", path: `/api/issues/${issue}`, what: "the issue you were woken for, where there is one" },
  { method: "GET", path: `/api/issues/${issue}/comments`, what: "what was said about it, oldest first" },
];

const doing: readonly Call[] = [
  {
    method: "POST",
    path: `/api/issues/${issue}/checkout`,
    body: { agentId: me },
    what: "take it before you begin; it moves to in_progress. 409 checkout_held: somebody works on it, leave it alone",
  },
  {
    method: "POST",
    path: `/api/issues/${issue}/comments`,
    body: { body: "Found the cause: the price is rounded twice." },
    what: "say what you do and found, in markdown. Those concerned are woken by it",
  },
  {
    method: "POST",
    path: `/api/issues/${issue}/release`,
    body: {},
    what: "give it back undone; it is todo again",
  },
  {
    method: "PATCH",
    path: `/api/issues/${issue}`,
    body: { status: "blocked", comment: "Blocked: the test account has no password." },
    what: "you cannot go on: say what is missing and who can give it",
  },
  {
    method: "PATCH",
    path: `/api/issues/${issue}`,
    body: { status: "done", comment: "Done: rounded once, at the end. The tests pass." },
    what: "it is done: say what you did and how you know that it works",
  },
];

const handingOn: readonly Call[] = [
  {
    method: "GET",
    path: `/api/companies/${company}/agents`,
    what: "your colleagues; capabilities says what each of them owns",
  },
  {
    method: "POST",
    path: `/api/companies/${company}/issues`,
    body: { title: "Write a test for rounding", parentId: issue, assigneeAgentId: me, priority: "medium" },
    what: "make an issue of a part of your work. You assign to yourself and to those who report to you, to others with permissions.canAssignTasks; without assigneeAgentId it is nobody's. The assignee is woken",
  },
];

const asking: readonly Call[] = [
  {
    method: "POST",
    path: `/api/companies/${company}/approvals`,
    body: {
      type: "board_request",
      payload: { title: "A password for the test account", body: "I need it to test payments." },
      issueIds: [issue],
    },
    what: "anything, in words",
  },
  {
    method: "POST",
    path: `/api/companies/${company}/approvals`,
    body: { type: "config_change", payload: { agentId: me, patch: { title: "Head of research" } }, issueIds: [issue] },
    what: "a change of an agent, yourself or another; patch has the fields of a hire, only those that change",
  },
];

const spending: readonly Call[] = [
  {
    method: "POST",
    path: `/api/companies/${company}/cost-events`,
    body: { agentId: me, provider: "anthropic", model: "the model's name", inputTokens: 1200, outputTokens: 300 },
    what: "book what you used. What your program tells of its own usage is booked already: do not book it twice. costCents where you know the price",
  },
];

/** `/llms/agent-work.txt`: the calls of an agent's daily work, each with a body that is accepted. */
export function agentWorkText(source: DocumentSource): string {
  const lines = (calls: readonly Call[]) => calls.map((call) => lineOf(source, call));
  return [
    "# Working here",
    "",
    ...howToCall(),
    "",
    "## What is there to do",
    "",
    ...lines(finding),
    "",
    "## Doing it",
    "",
    ...lines(doing),
    "",
    `Statuses: ${issueStatuses.join(", ")}. A checkout ends with your run.`,
    "",
    "## Handing work on",
    "",
    ...lines(handingOn),
    "",
    "## Asking the board",
    "",
    ...lines(asking),
    `- A new colleague is hired: ${address(source, documentPaths.agentConfiguration)}`,
    "",
    ...afterAsking(source),
    "",
    "## What it costs",
    "",
    ...lines(spending),
    "",
  ].join("\n");
}

function howToCall(): string[] {
  return [
    `Send every request with the header Authorization: Bearer ${variable("API_KEY")}, a body as Content-Type: application/json. Names with $ are variables of your run; without a run, take ids from what is answered.`,
    "",
    "- A refusal is { error, code, details, fix, requestId }: details say what was wrong and what would be right, fix what to send instead. Correct that and send again; do not send the same again.",
    "- No answer, 429 or 503: wait (Retry-After) and send the same again. With the header Idempotency-Key: <a new UUID> on a POST or PATCH, the same in both tries, it is done once.",
    '- A list is an array of at most 50; when there is more, the answer has the header Link: <path of the next page>; rel="next".',
    "- An ETag sent back as If-Match with a PATCH makes sure that you change what you have read: 412 tells what is there now.",
    "- 401 run_ended: your run is over. Stop.",
  ];
}

function afterAsking(source: DocumentSource): string[] {
  return [
    `The answer is an approval. Do not wait for the decision and do not ask twice: end your run. You are woken when it is decided, with ${env("APPROVAL_ID")} and ${env("APPROVAL_STATUS")} set. Read decisionNote at GET ${address(source, "/api/approvals/:approvalId")} and the comments at .../comments; when it is revision_requested, POST .../resubmit with { "payload": only what changes }, or .../cancel to withdraw it.`,
  ];
}

function lineOf(source: DocumentSource, { method, path, body, what }: Call): string {
  const sent = body === undefined ? "" : ` ${JSON.stringify(body)}`;
  return `- ${method} ${address(source, path)}${sent}\n  ${what}.`;
}
