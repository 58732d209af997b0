import { childText, commonSettings, defineAdapter } from "@roster/adapter";
import { z } from "zod";
import { argumentList, extraArguments } from "../argument-list.ts";

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
  "--permission-mode": byPermission,
  "--dangerously-skip-permissions": byPermission,
  "--allowedTools": "use allowedTools",
  "--allowed-tools": "use allowedTools",
  "--disallowedTools": "use disallowedTools",
  "--disallowed-tools": "use disallowedTools",
};

const settings = commonSettings
  .extend({
    model: commonSettings.shape.model.describe(
      "Model alias (for example sonnet or opus) or full model name; without it the program's own default",
    ),
    command: childText(4096).min(1).default("claude").describe("The program: a name in PATH or an absolute path"),
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
    resumeSession: z
      .boolean()
      .default(true)
      .describe("Go on with the conversation of the agent's last run on the same issue; false starts each run anew"),
    extraArgs: extraArguments(reserved).default([]).describe("Further arguments of the program, one text each"),
  })
  .superRefine((value, context) => {
    if (value.permissionMode === undefined || !value.dangerouslySkipPermissions) return;
    context.addIssue({
      code: "custom",
      path: ["permissionMode"],
      message: "has no effect while dangerouslySkipPermissions is true; set that to false",
    });
  });

/** Claude Code as an agent. */
export const claudeLocalSpec = defineAdapter({
  type: "claude_local",
  title: "Claude Code",
  description: "Runs Claude Code (the program claude) on the runner's machine.",
  settings,
  example: {
    model: "sonnet",
    maxTurnsPerRun: 60,
    timeoutSec: 3600,
  },
  notes: [
    "The program must be installed on the runner's machine. It uses the login of the account the runner works under, or ANTHROPIC_API_KEY when env has it.",
    "By default tools run without asking, with all rights of the runner's account: choose that account, or that machine, accordingly. A runner that works as root needs IS_SANDBOX=1 in env, else Claude Code refuses to start this way.",
    "An agent that is to report its work needs at least the tool Bash with curl: with dangerouslySkipPermissions false, allow it in allowedTools.",
    "A session is a cache: it is dropped when folder, adapter or configuration change, and when it cannot be resumed the run starts anew by itself.",
    "Usage and cost are read from the program's own stream. Where the agent has a budget, the part of it that is set aside for the run is handed to the program as its limit.",
  ],
});
