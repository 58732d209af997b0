import { readFile, rename, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { ChangeHost } from "../../platform/change.ts";
import { Refusal } from "../../platform/refusal.ts";
import { runnerAuthentication } from "./authenticate-runner.ts";
import { registerRunner } from "./register-runner.ts";
import { ofNoRun } from "./store.ts";

/**
 * Sees to it that the runner of this home has a token, in a file that only its user reads: one that this database knows
 * stays, otherwise a runner is registered. The file is whole or not there.
 */
export async function ensureLocalRunner(host: ChangeHost, home: string): Promise<void> {
  const file = join(home, "runner.token");
  if (await isKnown(host, await readFile(file, "utf8").catch(() => ""))) return;
  const { token } = await registerRunner(host, { name: hostname() });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${token}\n`, { mode: 0o600 });
  await rename(temporary, file);
}

const authenticate = runnerAuthentication(ofNoRun);

async function isKnown({ database }: ChangeHost, text: string): Promise<boolean> {
  try {
    await authenticate(database.reader, text.trim(), null);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
