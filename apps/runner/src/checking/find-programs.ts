import { stat } from "node:fs/promises";
import type { AdapterSpec, CheckHost } from "@roster/adapter";
import { findAdapter } from "@roster/adapters";
import { adapterSpecs } from "@roster/adapters/specs";
import type { FoundProgram } from "@roster/contract";
import { hostOf } from "./run-check.ts";

const longestVersion = 100;

/** Versions by the file that said them: a program is started again only when it is another file. */
export type KnownVersions = Map<string, string | null>;

/**
 * The programs that agents can be, as far as they are on this machine, each with what an agent without settings of its
 * own would still lack. Never throws.
 */
export async function findPrograms(folder: string, versions: KnownVersions): Promise<readonly FoundProgram[]> {
  const host = hostOf({ adapterConfig: {}, mayAsk: true }, folder);
  const found = await Promise.all(adapterSpecs.map((spec) => look(spec, host, versions).catch(() => null)));
  return found.filter((program) => program !== null);
}

async function look(
  { type, program }: AdapterSpec,
  host: CheckHost,
  versions: KnownVersions,
): Promise<FoundProgram | null> {
  const path = program === undefined ? null : await host.findCommand(program.command, undefined);
  if (path === null) return null;
  const file = `${path} ${(await stat(path)).mtimeMs}`;
  const version = versions.has(file) ? (versions.get(file) ?? null) : versionIn(await host.ask?.(path, ["--version"]));
  versions.set(file, version);
  // It has said its version, or it has not; it is not started a second time.
  const findings = (await findAdapter(type)?.check({}, { ...host, ask: null })) ?? [];
  return { adapterType: type, version, findings: [...findings] };
}

/** The version in what a program says of itself, such as `2.1.0 (Claude Code)`. Pure. */
function versionIn(said: string | null | undefined): string | null {
  return /\d+\.\d+[\w.+-]*/.exec(said ?? "")?.[0].slice(0, longestVersion) ?? null;
}
