import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Where a runner keeps what it needs. Everything below is this user's alone. */
export interface RunnerHome {
  readonly folder: string;
  /** Outputs of a run, which are not scrubbed. */
  spool(runId: string): string;
  /** Files made for a run: its note, instructions and skills. */
  files(runId: string): string;
  /** Skills by their content. */
  readonly skills: string;
  /** The folder of an agent that was not given one. */
  work(companyId: string, agentId: string): string;
  /** Ids of all runs that something is there of. */
  runs(): Promise<string[]>;
}

/** The runner's part of a home, made where it is missing. */
export async function openRunnerHome(home: string): Promise<RunnerHome> {
  const folder = join(home, "runner");
  const [spools, files, skills] = [join(folder, "spool"), join(folder, "runs"), join(folder, "skills")];
  for (const each of [home, folder, spools, files, skills]) await mkdir(each, { recursive: true, mode: 0o700 });
  const runs = async (): Promise<string[]> => {
    const names = await Promise.all([readdir(spools), readdir(files)]);
    return [...new Set(names.flat())];
  };
  return {
    folder,
    skills,
    spool: (runId) => join(spools, runId),
    files: (runId) => join(files, runId),
    work: (companyId, agentId) => join(folder, "work", companyId, agentId),
    runs,
  };
}
