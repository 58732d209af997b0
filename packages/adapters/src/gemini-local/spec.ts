import { commonSettings, defineAdapter } from "@roster/adapter";
import { z } from "zod";
import { commandLineSettings } from "../command-line-settings.ts";

const byAdapter = "the adapter sets it";
const byMode = "use approvalMode";
const bySession = "use resumeSession";

const reserved = {
  "-p": "the prompt goes by standard input",
  "--prompt": "the prompt goes by standard input",
  "-i": "nobody is there to talk to",
  "--prompt-interactive": "nobody is there to talk to",
  "-o": byAdapter,
  "--output-format": byAdapter,
  "--skip-trust": byAdapter,
  "-m": "use model",
  "--model": "use model",
  "-y": byMode,
  "--yolo": byMode,
  "--approval-mode": byMode,
  "-r": bySession,
  "--resume": bySession,
  "--session-id": bySession,
  "--session-file": bySession,
};

const settings = commonSettings.extend({
  ...commandLineSettings("gemini", reserved),
  approvalMode: z
    .enum(["default", "auto_edit", "yolo", "plan"])
    .default("yolo")
    .describe("What runs without asking; nobody is there to answer: what the mode does not allow is denied"),
});

const program = { command: "gemini", install: "npm install -g @google/gemini-cli" };

/** Gemini CLI as an agent. */
export const geminiLocalSpec = defineAdapter({
  type: "gemini_local",
  title: "Gemini CLI",
  description: "Runs Gemini CLI (the program gemini) on the runner's machine.",
  program,
  settings,
  example: {
    model: "gemini-2.5-pro",
    timeoutSec: 3600,
  },
  notes: [
    `The program must be installed on the runner's machine: ${program.install}.`,
    "It keeps the configuration folder of the account the runner works under, and so the login of a person who signed in there. A key goes into env as GEMINI_API_KEY.",
    "The prompt begins with where instructions and skills are; both folders are added to the program's workspace.",
    "By default tools run without asking, with all rights of the runner's account: choose that account, or that machine, accordingly.",
    "A session is a cache. It is kept for an agent and an issue on one runner, for 7 days and for maxSessionRuns runs, and dropped when the configuration changes; when it cannot be resumed the program is started once more in the same run, without it.",
    "Gemini CLI reports tokens and no price: cost is computed from the service's rates. It reports them when it ends, so a run that was ended counts as nothing.",
  ],
});
