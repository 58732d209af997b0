import { commonSettings, defineAdapter } from "@roster/adapter";
import { z } from "zod";
import { commandLineSettings } from "../command-line-settings.ts";

const byAdapter = "the adapter sets it";
const bySession = "use resumeSession";

const reserved = {
  "--": "the prompt goes by standard input",
  "--format": byAdapter,
  "--dir": "use cwd",
  "--attach": "the program runs on the runner's machine",
  "-i": "nobody is there to talk to",
  "--interactive": "nobody is there to talk to",
  "-m": "use model",
  "--model": "use model",
  "--agent": "use agent",
  "--variant": "use variant",
  "--auto": "use approveAll",
  "-c": bySession,
  "--continue": bySession,
  "-s": bySession,
  "--session": bySession,
  "--fork": bySession,
};

const settings = commonSettings.extend({
  ...commandLineSettings("opencode", reserved),
  model: commonSettings.shape.model.describe(
    "Model as provider/model, for example anthropic/claude-sonnet-4-5; without it the program's own default",
  ),
  agent: z
    .string()
    .max(100)
    .regex(/^[\w-]+$/, "must be letters, digits, _ and -")
    .optional()
    .describe("OpenCode's own agent to use, for example build or plan; without it the program's own default"),
  variant: z
    .string()
    .max(32)
    .regex(/^[a-z]+$/, "must be lower-case letters, for example high")
    .optional()
    .describe("How much the model thinks, for example high or minimal; the provider decides which there are"),
  approveAll: z
    .boolean()
    .default(true)
    .describe(
      "Run tools without asking; nobody is there to answer: with false, what its permissions ask for is denied",
    ),
});

const program = { command: "opencode", install: "npm install -g opencode-ai" };

/** OpenCode as an agent. */
export const opencodeLocalSpec = defineAdapter({
  type: "opencode_local",
  title: "OpenCode",
  description: "Runs OpenCode (the program opencode) on the runner's machine.",
  program,
  settings,
  example: {
    model: "anthropic/claude-sonnet-4-5",
    timeoutSec: 3600,
  },
  notes: [
    `The program must be installed on the runner's machine: ${program.install}.`,
    "It uses the logins of the account the runner works under (opencode auth login), or the key of the provider when env has it, for example ANTHROPIC_API_KEY.",
    "Instructions and skills are in a folder of the run that OPENCODE_CONFIG_DIR names, beside the account's own configuration. With OPENCODE_CONFIG_DIR in env that folder is used as it is, and the prompt begins with where instructions and skills are.",
    "By default tools run without asking, with all rights of the runner's account: choose that account, or that machine, accordingly.",
    "A session is a cache. It is kept for an agent and an issue on one runner, for 7 days and for maxSessionRuns runs, and dropped when the configuration changes; when it cannot be resumed the program is started once more in the same run, without it.",
    "Usage and cost are read from the program's own stream, after each step; where it knows no price the service's rates are applied, so name the model.",
  ],
});
