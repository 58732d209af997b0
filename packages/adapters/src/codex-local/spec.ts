import { commonSettings, defineAdapter } from "@roster/adapter";
import { z } from "zod";
import { commandLineSettings } from "../command-line-settings.ts";

const byAdapter = "the adapter sets it";
const bySandbox = "use dangerouslyBypassApprovalsAndSandbox or sandboxMode";

const reserved = {
  "-": "the prompt goes by standard input",
  "--": "the prompt goes by standard input",
  "--json": byAdapter,
  "--skip-git-repo-check": byAdapter,
  "--last": "use resumeSession",
  "--ephemeral": "use resumeSession",
  "-m": "use model",
  "--model": "use model",
  "-C": "use cwd",
  "--cd": "use cwd",
  "-s": bySandbox,
  "--sandbox": bySandbox,
  "--approve-for-me": bySandbox,
  "--dangerously-bypass-approvals-and-sandbox": bySandbox,
};

const { command, resumeSession, maxSessionRuns, extraArgs } = commandLineSettings("codex", reserved);

const settings = commonSettings
  .extend({
    command,
    modelReasoningEffort: z
      .string()
      .max(32)
      .regex(/^[a-z]+$/, "must be lower-case letters, for example medium")
      .optional()
      .describe("How much the model thinks, for example low, medium or high; the model decides which there are"),
    search: z.boolean().default(false).describe("Live web search; with false the program's own default holds"),
    dangerouslyBypassApprovalsAndSandbox: z
      .boolean()
      .default(true)
      .describe(
        "Run commands without asking and without a sandbox. Nobody is there to answer: with false, sandboxMode decides",
      ),
    sandboxMode: z
      .enum(["read-only", "workspace-write"])
      .optional()
      .describe(
        "Codex's sandbox; only together with dangerouslyBypassApprovalsAndSandbox false; without it Codex's own default",
      ),
    sandboxNetworkAccess: z
      .boolean()
      .optional()
      .describe(
        "Network inside the sandbox workspace-write, which an agent needs to reach the service; only with that sandbox",
      ),
    resumeSession,
    maxSessionRuns,
    extraArgs: extraArgs.describe('Further arguments of the program, one text each, for example "-c" and "key=value"'),
  })
  .superRefine((value, context) => {
    if (value.sandboxMode !== undefined && value.dangerouslyBypassApprovalsAndSandbox) {
      context.addIssue({
        code: "custom",
        path: ["sandboxMode"],
        message: "has no effect while dangerouslyBypassApprovalsAndSandbox is true; set that to false",
      });
    }
    if (value.sandboxNetworkAccess !== undefined && value.sandboxMode !== "workspace-write") {
      context.addIssue({
        code: "custom",
        path: ["sandboxNetworkAccess"],
        message: "has an effect with sandboxMode workspace-write only",
      });
    }
  });

const program = { command: "codex", install: "npm install -g @openai/codex" };

/** Codex as an agent. */
export const codexLocalSpec = defineAdapter({
  type: "codex_local",
  title: "Codex",
  description: "Runs Codex (the program codex) on the runner's machine.",
  program,
  settings,
  example: {
    modelReasoningEffort: "medium",
    promptTemplate: "You are {{agent.name}}, {{agent.title}} of {{company.name}}. You were woken: {{run.wakeReason}}.",
    timeoutSec: 3600,
  },
  notes: [
    `The program must be installed on the runner's machine: ${program.install}.`,
    "It uses the login of the account the runner works under (codex login), or the key CODEX_API_KEY when env has it. For each run it gets a CODEX_HOME of its own that links to the login (auth.json), the configuration (config.toml) and the sessions of the account's ~/.codex; AGENTS.md and skills in it are the agent's own. A login that is kept in a keyring belongs to the account's own folder: set CODEX_HOME in env to it.",
    "With CODEX_HOME in env that folder is used as it is, and the prompt begins with where instructions and skills are.",
    "By default commands run without asking and without a sandbox, with all rights of the runner's account: choose that account, or that machine, accordingly.",
    "Inside a sandbox Codex has no network unless sandboxNetworkAccess is true, and an agent without network cannot reach the service.",
    "A session is a cache. It is kept for an agent and an issue on one runner, for 7 days and for maxSessionRuns runs, and dropped when the configuration changes; when it cannot be resumed the program is started once more in the same run, without it.",
    "Codex reports tokens and no price: cost is computed from the service's rates, so name the model.",
  ],
});
