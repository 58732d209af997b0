import { childText, commonSettings, defineAdapter } from "@roster/adapter";
import { z } from "zod";
import { argumentList } from "../argument-list.ts";

const settings = commonSettings.extend({
  model: commonSettings.shape.model.describe(
    "Model that usage is booked under when the program reports usage without naming one; not handed to the program",
  ),
  command: childText()
    .min(1)
    .describe("Program to run: an absolute path, a path below cwd, or a name that is looked up in PATH"),
  args: argumentList.default([]).describe("Its arguments, one text each; no shell splits or expands them"),
  shell: z
    .boolean()
    .default(false)
    .describe("Hand command to /bin/sh -c as a command line; args become its $1, $2 and so on"),
  stdin: z
    .enum(["prompt", "order", "none"])
    .default("prompt")
    .describe("What is written to standard input: the prompt as text, the run order as one line of JSON, or nothing"),
});

/** Any program as an agent. */
export const processSpec = defineAdapter({
  type: "process",
  title: "Command",
  description: "Runs any program on the runner's machine; for scripts and for agents of your own making.",
  settings,
  example: {
    command: "node",
    args: ["reconcile.mjs", "--all"],
    cwd: "/srv/reconcile",
    stdin: "order",
    timeoutSec: 900,
  },
  notes: [
    "Exit code 0 is success, any other a failure of the agent.",
    "A line on standard output that is a JSON object with a known type (output, message, tool_call, tool_result, usage, session, result) becomes that event of the run; every other line is recorded as output.",
    "Their fields: output text; message text, role; tool_call id, name, input; tool_result id, name, output, isError; usage provider, model, inputTokens, cachedInputTokens, outputTokens, costUsd; session id; result text, isError. A line of JSON may have 1 MiB.",
    "The data of the last session event of a run is kept for the agent and the issue for 7 days, and handed to the next run on the same issue, if the configuration is the same, as session in the run order (stdin order).",
    "The program sees a short list of the host's variables (PATH, HOME, LANG, TERM, TMPDIR and the like), then env, then the variables of the run. It sees nothing else of the host's environment.",
    "A request to end goes to the whole process group as SIGTERM, and after graceSec as SIGKILL.",
    "Arguments are visible to every user of the machine and in the configuration: secrets belong into env.",
  ],
});
