import { type CheckHost, type Finding, openDoor } from "@roster/adapter";
import { type ProcessSettings, program } from "./program.ts";
import { processSpec } from "./spec.ts";
import { translator } from "./translator.ts";

async function check({ command, cwd, shell }: ProcessSettings, host: CheckHost): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  if (cwd !== undefined && !(await host.isFolder(cwd))) {
    findings.push({ severity: "error", message: `The working folder ${cwd} is not a folder.` });
  }
  // What a command line needs, only its shell can tell.
  if (!shell && (await host.findCommand(command, cwd)) === null) {
    findings.push({ severity: "error", message: `The program "${command}" is not there or cannot be executed.` });
  }
  return findings;
}

/** Any program as an agent. */
export const processAdapter = openDoor(processSpec, { check, program, translator });
