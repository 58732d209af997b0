/**
 * An engineer without a language model: does the issue it was woken for by filling in the template of its skill, in its
 * own working folder, and says on the issue where the file is.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { call, say, spend } from "./call.mjs";

const { SERVICE_ISSUE_ID: issueId, SERVICE_SKILLS_DIR: skills } = process.env;

const me = await call("GET", "/api/agents/me");
const [manager] = me.chainOfCommand;
say(`I am ${me.name}, ${me.title} of ${me.company.name}; ${manager.name} is my manager.`);
const issue = await call("POST", `/api/issues/${issueId}/checkout`, { agentId: me.id });
say(`I have checked out ${issue.identifier}: nobody else works on it while I do.`);

const template = await readFile(join(skills, "greeting", "template.txt"), "utf8");
const values = { company: me.company.name, agent: me.name, manager: manager.name, issue: issue.identifier };
const greeting = template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const file = resolve("greeting.txt");
await writeFile(file, greeting);
say(`My skill "greeting" has a template; I fill it in and write greeting.txt in my working folder.`);

const quoted = greeting.trimEnd().replace(/^/gm, "> ");
spend(0.11);
await call("POST", `/api/issues/${issue.id}/comments`, { body: `Written: \`${file}\`\n\n${quoted}` });
await call("PATCH", `/api/issues/${issue.id}`, { status: "done" });
say(`I have commented on ${issue.identifier} with the path and marked it done.`);
