import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { controlFolder } from "@roster/control-socket";
import { builtCopy } from "./built-copy.ts";
import { bytesIn, packageBytes } from "./disk.ts";
import { familyBytes, residentBytes } from "./memory.ts";
import { npmStart, type Started } from "./npm-start.ts";

/** Memory while nobody asks anything, in bytes; null where the system does not say. */
export interface Idle {
  readonly server: number | null;
  readonly launcher: number | null;
  readonly database: number | null;
}

/** What it takes to have the service there. */
export interface StartFigures {
  /** With the making of the database. */
  readonly firstStartSeconds: number;
  readonly laterStartSeconds: number;
  readonly idle: Idle;
  readonly diskBytes: { readonly production: number; readonly withTools: number };
}

const laterStarts = 3;
const idleAfterMs = 10_000;

/** Starts the service on a new home as its operator would, and again, and looks at it while nobody asks anything. */
export async function measureStart(root: string, cache: string): Promise<StartFigures> {
  const tree = join(cache, "tree");
  const place = await mkdtemp(join(tmpdir(), "roster-bench-"));
  // The account that runs the database passes through.
  await chmod(place, 0o755);
  const home = join(place, "home");
  try {
    await builtCopy(root, tree);
    const first = await timed(tree, home);
    const idle = await whileRunning(await npmStart(tree, home), (started) => idleMemory(started, home));
    const later: number[] = [];
    for (let n = 0; n < laterStarts; n += 1) later.push(await timed(tree, home));
    later.sort((one, other) => one - other);
    const packages = await packageBytes(root);
    const built = await bytesIn(join(tree, "dist"));
    return {
      firstStartSeconds: first,
      laterStartSeconds: later[Math.floor(laterStarts / 2)] ?? first,
      idle,
      diskBytes: { production: packages.production + built, withTools: packages.all + built },
    };
  } finally {
    await clearAway(home);
    for (const path of [place, tree]) await rm(path, { recursive: true, force: true });
  }
}

const timed = async (tree: string, home: string): Promise<number> =>
  whileRunning(await npmStart(tree, home), async ({ seconds }) => seconds);

async function whileRunning<T>(started: Started, look: (started: Started) => Promise<T>): Promise<T> {
  try {
    return await look(started);
  } finally {
    await started.stop();
  }
}

async function idleMemory(started: Started, home: string): Promise<Idle> {
  await pause(idleAfterMs);
  const { data } = JSON.parse(await readFile(join(home, "database.json"), "utf8")) as { data: string };
  const postmaster = Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]);
  return {
    server: await residentBytes(await started.pidOf("server")),
    launcher: await residentBytes(await started.pidOf("launcher")),
    database: await familyBytes(postmaster),
  };
}

/** What a start has made outside of the home. */
async function clearAway(home: string): Promise<void> {
  const record = await readFile(join(home, "database.json"), "utf8").catch(() => null);
  if (record === null) return;
  const { folder } = JSON.parse(record) as { folder: string };
  for (const path of [folder, await controlFolder(home)]) await rm(path, { recursive: true, force: true });
}
