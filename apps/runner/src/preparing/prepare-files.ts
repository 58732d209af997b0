import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RunOrder } from "@roster/contract";
import type { SkillFiles } from "../calling/server.ts";
import type { RunnerHome } from "../runner-home.ts";
import { inside } from "./inside.ts";
import type { SkillCache } from "./skill-cache.ts";

/** Where a run finds what was prepared for it. */
export interface PreparedFiles {
  readonly cwd: string;
  readonly instructionsFile: string | null;
  readonly skillsFolder: string | null;
  /** Of this run alone, for what its adapter wants to be there. */
  readonly ownFolder: string;
}

/** With what files are prepared. */
export interface Preparing {
  readonly home: RunnerHome;
  readonly skills: SkillCache;
  readonly fetchSkill: (contentHash: string) => Promise<SkillFiles>;
  readonly signal: AbortSignal;
}

/** Where the files of a run are, whether they were written or not. Pure. Throws `UnfitOrderError`. */
export function filesOf(order: RunOrder, home: RunnerHome): PreparedFiles {
  const { adapterConfig, companyId, agentId, instructions, skills, runId } = order;
  const { cwd } = adapterConfig;
  const files = home.files(runId);
  const folder = join(files, "instructions");
  return {
    cwd: typeof cwd === "string" ? cwd : home.work(companyId, agentId),
    instructionsFile: instructions === null ? null : inside(folder, instructions.entryFile),
    skillsFolder: skills.length === 0 ? null : join(files, "skills"),
    ownFolder: join(files, "own"),
  };
}

/** Makes the working folder and writes instructions and skills, anew where an earlier attempt has left some. */
export async function prepareFiles(order: RunOrder, preparing: Preparing): Promise<PreparedFiles> {
  const { home } = preparing;
  const files = filesOf(order, home);
  const own = home.work(order.companyId, order.agentId);
  if (files.cwd === own) await mkdir(own, { recursive: true, mode: 0o700 });
  for (const folder of ["instructions", "skills"]) {
    await rm(join(home.files(order.runId), folder), { recursive: true, force: true });
  }
  await writeInstructions(order, join(home.files(order.runId), "instructions"));
  if (files.skillsFolder !== null) await placeSkills(order, files.skillsFolder, preparing);
  return files;
}

async function writeInstructions({ instructions }: RunOrder, folder: string): Promise<void> {
  for (const [name, text] of Object.entries(instructions?.files ?? {})) {
    const path = inside(folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
  }
}

async function placeSkills({ skills }: RunOrder, folder: string, preparing: Preparing): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { slug, contentHash } of skills) {
    preparing.signal.throwIfAborted();
    await preparing.skills.place(contentHash, inside(folder, slug), () => preparing.fetchSkill(contentHash));
  }
}
