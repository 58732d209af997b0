import { commonSettings, defineAdapter } from "@roster/adapter";
import { z } from "zod";
import { argumentList } from "../argument-list.ts";
import { commandLineSettings } from "../command-line-settings.ts";

const byAdapter = "the adapter sets it";
const bySession = "use resumeSession";
const byPermission = "use dangerouslySkipPermissions or permissionMode";

const reserved = {
  "--": "the prompt goes by standard input",
  "-p": byAdapter,
  "--print": byAdapter,
  "--verbose": byAdapter,
  "--input-format": byAdapter,
  "--output-format": byAdapter,
  "--bg": byAdapter,
  "--background": byAdapter,
  "-c": bySession,
  "--continue": bySession,
  "-r": bySession,
  "--resume": bySession,
  "--session-id": bySession,
  "--no-session-persistence": bySession,
  "--model": "use model",
  "--effort": "use effort",
  "--max-turns": "use maxTurnsPerRun",
  "--max-budget-usd": "use runtimeConfig.maxRunCostCents",
  "--append-system-prompt-file": "use instructionsBundle",
  "--permission-mode": byPermission,
  "--dangerously-skip-permissions": byPermission,
  "--allowedTools": "use allowedTools",
  "--allowed-tools": "use allowedTools",
  "--disallowedTools": "use disallowedTools",
  "--disallowed-tools": "use disallowedTools",
};

const { command, resumeSession, maxSessionRuns, extraArgs } = commandLineSettings("claude", reserved);

const settings = commonSettings
  .extend({
    model: commonSettings.shape.model.describe(
      "Model alias (for example sonnet or opus) or full model name; without it the program's own default",
    ),
    command,
    effort: z
      .enum(["low", "medium", "high", "xhigh", "max"])
      .optional()
      .describe("How much the model thinks; without it the program's own default"),
    maxTurnsPerRun: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe("Most turns of one run; without it no limit but time and money"),
    dangerouslySkipPermissions: z
      .boolean()
      .default(true)
      .describe(
        "Run tools without asking. Nobody is there to answer: with false, what permissionMode does not allow is denied",
      ),
    permissionMode: z
      .enum(["default", "acceptEdits", "auto", "dontAsk", "plan"])
      .optional()
      .describe("Claude Code's permission mode; only together with dangerouslySkipPermissions false"),
    allowedTools: argumentList
      .default([])
      .describe(
        'Tools that run without asking, for example "Bash(git *)" or "Edit"; matters with dangerouslySkipPermissions false',
      ),
    disallowedTools: argumentList.default([]).describe("Tools the agent may not use at all"),
    resumeSession,
    maxSessionRuns,
    extraArgs,
  })
  .superRefine((value, context) => {
    if (value.permissionMode === undefined || !value.dangerouslySkipPermissions) return;
    context.addIssue({
      code: "custom",
      path: ["permissionMode"],
      message: "has no effect while dangerouslySkipPermissions is true; set that to false",
    });
  });

const program = { command: "claude", install: "npm install -g @anthropic-ai/claude-code" };

/** Claude Code as an agent. */
export const claudeLocalSpec = defineAdapter({
  type: "claude_local",
  title: "Claude Code",
  description: "Runs Claude Code (the program claude) on the runner's machine.",
  program,
  settings,
  example: {
    model: "sonnet",
    maxTurnsPerRun: 60,
    timeoutSec: 3600,
  },
  notes: [
    `The program must be installed on the runner's machine: ${program.install}.`,
    "It keeps the configuration folder of the account the runner works under, and so the login of a person who signed in there (claude, then /login). A key in env wins: ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN from claude setup-token. CLAUDE_CONFIG_DIR in env gives the agent another configuration folder, with a login of its own. What the account's own settings say (hooks, servers, memory) holds for its agents too.",
    "Instructions are added to the system prompt; skills are found as those of the project are. Neither is written into the working folder: both are in a folder of the run.",
    "By default tools run without asking, with all rights of the runner's account: choose that account, or that machine, accordingly. IS_SANDBOX=1 is set then, without which Claude Code refuses to work so as root.",
    "An agent that is to report its work needs at least the tool Bash with curl: with dangerouslySkipPermissions false, allow it in allowedTools.",
    "A session is a cache. It is kept for an agent and an issue on one runner, for 7 days and for maxSessionRuns runs, and dropped when the configuration changes; when it cannot be resumed the program is started once more in the same run, without it.",
    "Usage and cost are read from the program's own stream. Where a run may cost only so much, that is handed to the program as its limit.",
  ],
});
