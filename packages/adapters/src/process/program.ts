import type { AdapterOrder, Program } from "@roster/adapter";
import type { z } from "zod";
import type { processSpec } from "./spec.ts";

/** The settings of the adapter, defaults applied. */
export type ProcessSettings = z.output<typeof processSpec.settings>;

const shell = "/bin/sh";

/** The command as the settings say it. Pure. */
export function program(order: AdapterOrder<ProcessSettings>): Program {
  const { command, args, shell: isLine } = order.settings;
  const stdin = stdinOf(order);
  // A shell calls what follows its command line $0, $1 and so on.
  if (isLine) return { command: shell, args: ["-c", command, shell, ...args], stdin, env: {} };
  return { command, args, stdin, env: {} };
}

function stdinOf({ settings, prompt, ...order }: AdapterOrder<ProcessSettings>): string | null {
  if (settings.stdin === "none") return null;
  if (settings.stdin === "prompt") return prompt;
  const { runId, companyId, agentId, service, session } = order;
  return `${JSON.stringify({ type: "run.start", runId, companyId, agentId, prompt, environment: service, session })}\n`;
}
