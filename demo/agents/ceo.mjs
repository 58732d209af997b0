/**
 * A chief executive without a language model: woken for an issue, she asks the board for whom the issue needs; woken for
 * an approval, she acts on what the board has said. She keeps nothing: what she knows is in her environment and in
 * Roster, and each time she looks again.
 */
import { call, say, spend } from "./call.mjs";

const {
  SERVICE_COMPANY_ID: companyId,
  SERVICE_ISSUE_ID: issueId,
  SERVICE_APPROVAL_ID: approvalId,
  SERVICE_APPROVAL_STATUS: decision,
  SERVICE_LINKED_ISSUE_IDS: linked = "",
} = process.env;

/** Whom she knows, and is not herself. */
const acquaintances = ["Ada", "Mary"];

/** What she can offer where the board names it. */
const offers = {
  budget: { budgetMonthlyCents: 20_000 },
  title: { title: "Greeting Engineer" },
};

const me = await call("GET", "/api/agents/me");
say(`I am ${me.name}, ${me.title} of ${me.company.name}. My environment says why I run: ${whatIsSet()}.`);
if (approvalId !== undefined) await actOnDecision();
else if (issueId !== undefined) await hireFor(await call("GET", `/api/issues/${issueId}`));
else say("So I have nothing to do.");

function whatIsSet() {
  const names = ["SERVICE_ISSUE_ID", "SERVICE_APPROVAL_ID", "SERVICE_APPROVAL_STATUS", "SERVICE_LINKED_ISSUE_IDS"];
  return names.filter((name) => process.env[name] !== undefined).join(", ") || "no issue, no approval";
}

async function hireFor(issue) {
  const asked = await call("GET", `/api/issues/${issue.id}/approvals`);
  if (asked.some(({ status }) => status === "pending")) return say("I have asked already, and the board will answer.");
  await call("POST", `/api/issues/${issue.id}/checkout`, { agentId: me.id });
  const proposal = await proposalFor(issue);
  const { agent, approval } = await call("POST", `/api/companies/${companyId}/agent-hires`, proposal);
  say(
    `I ask the board to hire ${agent.name}, ${agent.role}, for ${issue.identifier}. Until it answers: ${agent.status}.`,
  );
  await call("POST", `/api/approvals/${approval.id}/comments`, {
    body: `[${issue.identifier}](/api/issues/${issue.id}) needs hands. [The question](/api/approvals/${approval.id}) is whether [${agent.name}](/api/agents/${agent.id}) may be hired.`,
  });
  await call("PATCH", `/api/issues/${issue.id}`, { status: "in_review" });
  spend(0.04);
  say(
    `I have commented with links to question, agent and issue. ${issue.identifier} is in review. I end; I do not wait.`,
  );
}

/** Whom the issue needs, made of what Roster's own documents and the company's configurations say. */
async function proposalFor(issue) {
  const [hiring, adapter, icons] = await Promise.all([
    call("GET", "/llms/agent-configuration.txt"),
    call("GET", "/llms/agent-configuration/process.txt"),
    call("GET", "/llms/agent-icons.txt"),
  ]);
  const lines = [hiring, adapter, icons].map((text) => text.split("\n"));
  say(`I have read how to hire (${lines[0].length} lines), how a process is run (${lines[1].length}), and the icons.`);
  const configurations = await call("GET", `/api/companies/${companyId}/agent-configurations`);
  const skills = await call("GET", `/api/companies/${companyId}/skills`);
  const own = configurations.find(({ agentId }) => agentId === me.id);
  say(
    `Agents here: ${configurations.length}, and I am run by "${own.adapterType}". Skills: ${skills.map(({ key }) => key)}.`,
  );
  return {
    name: acquaintances.find((name) => name !== me.name),
    role: /engineer/i.test(issue.title) ? "engineer" : "general",
    title: "Someone who writes",
    icon: lines[2].includes("pen-tool") ? "pen-tool" : null,
    reportsTo: me.id,
    capabilities: "Writes greetings, in the house style",
    adapterType: own.adapterType,
    adapterConfig: {
      // Another file of the skill that she herself is run from.
      command: own.adapterConfig.command.replace("ceo.mjs", "engineer.mjs"),
      shell: true,
      stdin: "none",
    },
    instructionsBundle: {
      files: { "AGENTS.md": "Write what the issue asks for. Leave a comment that says where it is.\n" },
    },
    desiredSkills: skills.map(({ key }) => key),
    runtimeConfig: { heartbeat: { enabled: false } },
    sourceIssueId: issue.id,
  };
}

async function actOnDecision() {
  const approval = await call("GET", `/api/approvals/${approvalId}`);
  const note = approval.decisionNote ?? "nothing more";
  say(`The status is ${decision}. I read the approval again; the board writes: “${note}”`);
  if (decision === "revision_requested") return await revise(approval, note);
  if (decision === "approved") return await closeLinked(approval);
  say("There is nothing to do about that.");
}

async function revise({ id, agentId, payload }, note) {
  const named = Object.keys(offers).filter((word) => note.toLowerCase().includes(word));
  const patch = Object.assign({}, ...named.map((word) => offers[word]));
  const { payloadVersion } = await call("POST", `/api/approvals/${id}/resubmit`, { payload: patch });
  await call("POST", `/api/approvals/${id}/comments`, {
    body: `Changed: ${named.join(" and ")} of [${payload.name}](/api/agents/${agentId}). See [the question](/api/approvals/${id}).`,
  });
  say(`I resubmit as version ${payloadVersion}, with another ${named.join(" and another ")}, and end.`);
}

async function closeLinked({ id, agentId, payload }) {
  for (const linkedId of linked.split(",").filter((each) => each !== "")) {
    const comment = `[${payload.name}](/api/agents/${agentId}) is hired: [the board's answer](/api/approvals/${id}).`;
    const { identifier } = await call("PATCH", `/api/issues/${linkedId}`, { status: "done", comment });
    say(`${payload.name} is hired, so I comment on ${identifier} and close it.`);
  }
}
