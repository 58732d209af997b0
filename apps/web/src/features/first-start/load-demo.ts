import type { Agent, Company } from "@roster/client";
import { callOperation } from "../../api/operations.ts";
import { demoAgent, demoSkills } from "./demo-skills.ts";

/** How far it has come. What is done is not done again when a later step is tried again. */
export interface LoadedDemo {
  company: Company | null;
  hasSkills: boolean;
  ceo: Agent | null;
  engineer: Agent | null;
  issues: number;
}

/** Nothing is done yet. */
export const nothingLoaded = (): LoadedDemo => ({
  company: null,
  hasSkills: false,
  ceo: null,
  engineer: null,
  issues: 0,
});

const goal = "Greet everybody who comes, warmly and by name.";

/**
 * Makes a company whose agents are small scripts, by the API that everybody uses, and gives them work: an engineer does
 * two issues, and the chief executive asks the board whom it may hire. Answers the company's prefix.
 */
export async function loadDemo(done: LoadedDemo): Promise<string> {
  done.company ??= await callOperation("companies.create", {
    body: { name: "Demo", goal, budgetMonthlyCents: 10_000 },
  });
  const params = { companyId: done.company.id };
  if (!done.hasSkills) {
    await callOperation("skills.import", { params, body: { files: demoSkills() } });
    done.hasSkills = true;
  }
  done.ceo ??= await callOperation("agents.create", { params, body: chiefExecutive });
  const manager = { reportsTo: done.ceo.id };
  done.engineer ??= await callOperation("agents.create", { params, body: { ...greeter, ...manager } });
  for (const { to, ...issue } of issuesFor(done.ceo, done.engineer).slice(done.issues)) {
    await callOperation("issues.create", { params, body: { ...issue, assigneeAgentId: to } });
    done.issues += 1;
  }
  return done.company.issuePrefix;
}

const chiefExecutive = {
  name: "Grace",
  role: "ceo",
  title: "Chief Executive",
  icon: "crown",
  capabilities: "Finds out whom an issue needs, and asks the board for them",
  permissions: { canAssignTasks: true },
  budgetMonthlyCents: 5000,
  ...demoAgent("ceo"),
} as const;

const greeter = {
  name: "Linus",
  role: "engineer",
  title: "Greeting Engineer",
  icon: "pen-tool",
  capabilities: "Writes greetings, in the house style",
  instructionsBundle: {
    files: { "AGENTS.md": "# Linus\n\nWrite what the issue asks for. Leave a comment that says where it is.\n" },
  },
  budgetMonthlyCents: 2000,
  ...demoAgent("engineer"),
} as const;

const issuesFor = (ceo: Agent, engineer: Agent) => [
  {
    to: engineer.id,
    title: "Write a greeting for the first visitor",
    description: "In the house style: the skill **greeting** has a template.",
    priority: "high" as const,
  },
  {
    to: ceo.id,
    title: "Hire a second engineer",
    description: "One engineer is not enough for all who come. The board has to agree.",
    priority: "medium" as const,
  },
  {
    to: engineer.id,
    title: "Write a greeting for Monday morning",
    description: null,
    priority: "medium" as const,
  },
  {
    to: null,
    title: "Say goodbye as warmly",
    description: "Nobody has this one yet: assign it, and somebody begins.",
    priority: "low" as const,
  },
];
