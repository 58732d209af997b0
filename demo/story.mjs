import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Failure } from "./failure.mjs";
import { Follower } from "./follower.mjs";
import { tellLog } from "./tell-log.mjs";
import { part, quote, speak, table } from "./voice.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/** This Node, as a shell takes it. */
const program = `'${process.execPath.replaceAll("'", "'\\''")}'`;
const board = (sentence) => speak("Board", sentence);
const roster = (sentence) => speak("Roster", sentence);

/** Plays the story on a Roster that runs: a company from its founding to its log, with real processes. */
export async function play(api, signal) {
  const company = await found(api);
  const follower = new Follower(api, company, signal);
  const scene = { api, company, follower };
  const ceo = await createCeo(scene);
  const { issue, approval } = await askToHire(scene, ceo);
  await askForRevision(scene, ceo, approval);
  const engineer = await approve(scene, { ceo, issue, approval });
  await work(scene, engineer);
  await reconfigure(scene, engineer);
  await follower.catchUp();
  tellLog(follower.entries);
}

async function found(api) {
  part(
    "1. A company",
    "A company is the container of all else: agents, issues, skills, and the log. The board governs it. Whoever calls the API of this machine without a credential is the board; here it is this program.",
  );
  const company = await api.post("/api/companies", { name: "Acme" });
  board(
    `I found the company ${company.name}. Its issues will be called ${company.issuePrefix}-1, ${company.issuePrefix}-2 …`,
  );
  for (const folder of ["skill", "agents"]) {
    const names = await readdir(here(folder));
    const files = await Promise.all(
      names.map(async (name) => [name, await readFile(here(`${folder}/${name}`), "utf8")]),
    );
    const body = { files: Object.fromEntries(files) };
    const { imported } = await api.post(`/api/companies/${company.id}/skills/import`, body);
    const [skill] = imported;
    board(`I import a skill, a folder with a SKILL.md: ${skill.key}, “${skill.description}”.`);
  }
  return company;
}

async function createCeo({ api, company }) {
  const ceo = await api.post(`/api/companies/${company.id}/agents`, {
    name: "Grace",
    role: "ceo",
    title: "Chief Executive",
    icon: "crown",
    capabilities: "Finds out whom an issue needs, and asks the board for them",
    adapterType: "process",
    adapterConfig: { command: `${program} "$SERVICE_SKILLS_DIR/demo-agents/ceo.mjs"`, shell: true, stdin: "none" },
    desiredSkills: ["demo-agents"],
    budgetMonthlyCents: 50_000,
  });
  board(
    `I create the first agent, ${ceo.name}, ${ceo.title}. Her adapter is "process": a run of hers is a run of demo/agents/ceo.mjs.`,
  );
  roster(`${ceo.name} is ${ceo.status}. Nothing of her runs as long as there is no reason.`);
  return ceo;
}

async function askToHire({ api, company, follower }, ceo) {
  part(
    "2. An issue wakes an agent, and the agent asks to hire",
    "An assignment is a reason to run. A runner takes the run and starts the agent's program with a credential that lives as long as the run. An agent may ask for a colleague; only the board can say yes.",
  );
  const body = { title: "Hire an engineer", assigneeAgentId: ceo.id };
  const issue = await api.post(`/api/companies/${company.id}/issues`, body);
  board(`I create ${issue.identifier} “${issue.title}” and assign it to ${ceo.name}.`);
  await follower.runOf(ceo);
  const [approval] = await api.get(`/api/issues/${issue.id}/approvals`);
  if (approval === undefined) throw new Failure(`${ceo.name} has not asked the board for anybody.`);
  const proposed = await api.get(`/api/agents/${approval.agentId}`);
  roster(`${proposed.name} is ${proposed.status}: no run, no issue and no key until the board has decided.`);
  return { issue, approval };
}

async function askForRevision({ api, follower }, ceo, approval) {
  part(
    "3. The board asks for a revision",
    "A decision wakes the agent that asked, with the approval in its environment. The agent is a new process and remembers nothing: it reads what the board wrote, and resubmits. Every version of the proposal is kept.",
  );
  const { payload } = approval;
  board(`I read the question: hire ${payload.name}, “${payload.title}”, with ${money(payload.budgetMonthlyCents)}.`);
  const decisionNote = "Give it a budget and a clearer title.";
  await api.post(`/api/approvals/${approval.id}/request-revision`, { decisionNote });
  board(`I ask for a revision: “${decisionNote}”`);
  await follower.runOf(ceo);
  const { differences } = await api.get(`/api/approvals/${approval.id}/diff`);
  board("I read what has changed since the first version:");
  table(differences.map(({ path, before, after }) => [path, `${JSON.stringify(before)} → ${JSON.stringify(after)}`]));
}

async function approve({ api, follower }, { ceo, issue, approval }) {
  part(
    "4. The board approves",
    "The decision names the digest of the proposal that was read, so that nothing else can be approved by accident. Decision, effect, log and the wake of who asked are one transaction.",
  );
  const { payloadDigest, payloadVersion } = await api.get(`/api/approvals/${approval.id}`);
  await api.post(`/api/approvals/${approval.id}/approve`, { payloadDigest, decisionNote: "Welcome." });
  board(`I approve version ${payloadVersion}, digest ${payloadDigest.slice(0, 12)}…: “Welcome.”`);
  const engineer = await api.get(`/api/agents/${approval.agentId}`);
  roster(`${engineer.name}, ${engineer.title}, is ${engineer.status}, with ${money(engineer.budgetMonthlyCents)}.`);
  await follower.runOf(ceo);
  const { identifier, status } = await api.get(`/api/issues/${issue.id}`);
  if (status !== "done") throw new Failure(`${ceo.name} has not closed ${identifier}; it is ${status}.`);
  const comments = await api.get(`/api/issues/${issue.id}/comments`);
  board(`${identifier} is ${status}. ${ceo.name}'s comment on it:`);
  quote(comments.at(-1)?.body ?? "");
  return engineer;
}

async function work({ api, company, follower }, engineer) {
  part(
    "5. The new agent works",
    "It checks the issue out, so that nobody else works on it meanwhile, and works in a folder of its own on the runner's machine. Its skills are there as files, at the version it was given.",
  );
  const body = { title: "Write a greeting", assigneeAgentId: engineer.id };
  const issue = await api.post(`/api/companies/${company.id}/issues`, body);
  board(`I create ${issue.identifier} “${issue.title}” and assign it to ${engineer.name}.`);
  const run = await follower.runOf(engineer);
  const comments = await api.get(`/api/issues/${issue.id}/comments`);
  const [, path] = /`(.*)`/.exec(comments.at(-1)?.body ?? "") ?? [];
  if (path === undefined) throw new Failure(`${engineer.name} has not said where the greeting is.`);
  board(`I read the comment on ${issue.identifier} and open the file that it names, ${path}:`);
  const greeting = await readFile(path, "utf8").catch((error) => {
    throw new Failure(`The file ${path} cannot be read here (${error.code}).`);
  });
  quote(greeting);
  const { status } = await api.get(`/api/issues/${issue.id}`);
  board(`${issue.identifier} is ${status}, by revision ${run.revision.number} of ${engineer.name}'s configuration.`);
}

async function reconfigure({ api }, engineer) {
  part(
    "6. A change of configuration, and back",
    "Everything that makes an agent behave is a revision: adapter, settings, instructions, skills, permissions, budget. Any of them can be made the present one again, and that is a revision too.",
  );
  const path = `/api/agents/${engineer.id}`;
  const [before] = await api.get(`${path}/config-revisions`);
  await api.patch(path, { adapterConfig: { timeoutSec: 1 }, budgetMonthlyCents: 0 });
  board(`I change ${engineer.name}: at most one second a run, and no limit to what it costs.`);
  const { revision } = await api.post(`${path}/config-revisions/${before.id}/rollback`);
  board(`That was rash. I roll back to revision ${before.number}. The revisions, newest first:`);
  const revisions = await api.get(`${path}/config-revisions`);
  const rows = revisions.map(({ number, source, contentHash, changed }) => {
    return [String(number), source, contentHash.slice(0, 12), changed.join(", ")];
  });
  table([["no.", "source", "content", "changed"], ...rows]);
  const isSame = revision.contentHash === before.contentHash;
  if (!isSame) throw new Failure(`Revision ${revision.number} is not what revision ${before.number} was.`);
  roster(
    `Revision ${revision.number} has the content of revision ${before.number}: ${engineer.name} behaves as before.`,
  );
}

const money = (cents) => (cents === 0 ? "no limit of cost" : `at most $${(cents / 100).toFixed(2)} a month`);
