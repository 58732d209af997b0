import { stat } from "node:fs/promises";
import type { CheckHost } from "@roster/adapter";
import { findAdapter } from "@roster/adapters";
import { type CheckFinding, type CheckOrder, env, longestCheckSec } from "@roster/contract";
import { createEgress, type EgressFault } from "@roster/egress";
import { findCommand } from "../find-command.ts";
import { hostEnvironment } from "../host-environment.ts";
import { askProgram } from "./ask-program.ts";

/** Less than the check may take: what a program that hangs leaves of it is for telling so. */
const askMs = 3500;
const mostFindings = 50;
const longestMessage = 2000;

/** Looks whether an agent could work on this machine, for at most 5 seconds. Never throws. */
export async function runCheck(order: CheckOrder, folder: string): Promise<readonly CheckFinding[]> {
  const adapter = findAdapter(order.adapterType);
  if (adapter === null) {
    return [warning(`This runner has no adapter of the type ${order.adapterType} and takes none of the agent's runs.`)];
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CheckFinding[]>((resolve) => {
    const tooLong = warning(`The check took longer than ${longestCheckSec} seconds.`);
    timer = setTimeout(() => resolve([tooLong]), longestCheckSec * 1000);
  });
  const found = adapter.check(order.adapterConfig, hostOf(order, folder));
  const findings = await Promise.race([found, late]).catch(() => [warning("The check failed.")]);
  clearTimeout(timer);
  return findings
    .slice(0, mostFindings)
    .map(({ severity, message }) => ({ severity, message: message.slice(0, longestMessage) }));
}

const warning = (message: string): CheckFinding => ({ severity: "warning", message });

/** This machine, as a check of these settings sees it from this folder. */
export function hostOf(
  { adapterConfig, mayAsk }: Pick<CheckOrder, "adapterConfig" | "mayAsk">,
  folder: string,
): CheckHost {
  const host = hostEnvironment(process.env);
  const environment = { ...host, ...(adapterConfig["env"] as Readonly<Record<string, string>>) };
  const find = async (command: string, cwd: string = folder): Promise<string | null> => {
    const found = await findCommand(command, environment["PATH"], cwd);
    return found.kind === "found" ? found.path : null;
  };
  return {
    findCommand: find,
    isFolder: async (path) => (await stat(path).catch(() => null))?.isDirectory() ?? false,
    isFile: async (path) => (await stat(path).catch(() => null))?.isFile() ?? false,
    whyClosed,
    // Nothing of the agent's own environment: a version does not hang on it.
    ask: mayAsk ? (path, args) => askProgram(path, { args, cwd: folder, env: host, withinMs: askMs }) : null,
    environment,
  };
}

async function whyClosed(url: string): Promise<{ isRefused: boolean; why: string } | null> {
  const egress = createEgress({ allow: process.env[env("EGRESS_ALLOW")] ?? "" });
  return await egress.requireOpen(new URL(url), AbortSignal.timeout(askMs)).then(
    () => null,
    ({ kind, message }: EgressFault) => ({ isRefused: kind === "refused", why: message }),
  );
}
