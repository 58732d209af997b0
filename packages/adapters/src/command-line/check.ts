import { join } from "node:path/posix";
import type { CheckHost, Finding } from "@roster/adapter";

/** How an account is known to be signed in. */
export interface Login {
  /** Any of these variables stands for a key, or for a way without one. */
  readonly variables: readonly string[];
  /** Any of these files, below the home of the account, is a login. */
  readonly files: readonly string[];
}

/** What is checked of a program that works on its own. */
export interface Checked {
  readonly title: string;
  readonly command: string;
  readonly cwd: string | undefined;
  readonly login: Login;
}

/** What is missing on this machine for such a program: its folder, itself, its version, a login or a key. */
export async function checkCommandLine(checked: Checked, host: CheckHost): Promise<readonly Finding[]> {
  const { cwd } = checked;
  const findings: Finding[] = [];
  if (cwd !== undefined && !(await host.isFolder(cwd))) {
    findings.push({ severity: "error", message: `The working folder ${cwd} is not a folder.` });
  }
  return [...findings, ...(await programFindings(checked, host)), ...(await loginFindings(checked, host))];
}

async function programFindings({ title, command, cwd }: Checked, host: CheckHost): Promise<Finding[]> {
  const path = await host.findCommand(command, cwd);
  if (path === null) {
    const message = `${title} is not there: the program "${command}" is not found or cannot be executed.`;
    return [{ severity: "error", message }];
  }
  if (host.ask === null) return [];
  const version = await host.ask(path, ["--version"]);
  if (version !== null && /\d+\.\d+/.test(version)) return [];
  return [{ severity: "warning", message: `The program ${path} does not say its version; it may not be ${title}.` }];
}

async function loginFindings({ title, login }: Checked, host: CheckHost): Promise<Finding[]> {
  const { environment } = host;
  if (login.variables.some((name) => Object.hasOwn(environment, name))) return [];
  const home = environment["HOME"];
  const files = home === undefined ? [] : login.files.map((file) => join(home, file));
  for (const file of files) if (await host.isFile(file)) return [];
  const message = `No login of ${title} was found for the runner's account, and no key in env (${login.variables[0]}).`;
  return [{ severity: "warning", message }];
}
