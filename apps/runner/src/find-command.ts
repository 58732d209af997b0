import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";

/** Where the shell looks when the environment names no place. */
const defaultPath = "/usr/local/bin:/usr/bin:/bin";

/** What a command's name leads to. */
export type FoundCommand =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "not_executable"; readonly path: string }
  | { readonly kind: "missing" };

/**
 * Looks a command up before it is started, in the PATH and from the folder that it will be started with. Afterwards it
 * is too late to tell: the shell's 127 for "not found" is a program's own 127 too.
 */
export async function findCommand(command: string, path: string | undefined, cwd: string): Promise<FoundCommand> {
  let refused: string | null = null;
  for (const candidate of candidatesOf(command, path ?? defaultPath, cwd)) {
    const file = await stat(candidate).catch(() => null);
    if (!file?.isFile()) continue;
    if (await isExecutable(candidate)) return { kind: "found", path: candidate };
    refused ??= candidate;
  }
  return refused === null ? { kind: "missing" } : { kind: "not_executable", path: refused };
}

/** The absolute paths to try, in order; an empty place in PATH is the working folder, as for every shell. Pure. */
export function candidatesOf(command: string, path: string, cwd: string): string[] {
  if (command === "") return [];
  if (command.includes("/")) return [resolve(cwd, command)];
  return path.split(":").map((place) => resolve(cwd, place, command));
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
