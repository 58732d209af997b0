import { setTimeout as pause } from "node:timers/promises";
import { eventually } from "./eventually.ts";
import type { Ground } from "./ground.ts";
import type { Part } from "./part.ts";
import type { Random } from "./random.ts";

/** What things are broken with. */
interface Breaking {
  readonly ground: Ground;
  readonly random: Random;
  /** How long anything is away, as a rule at most. */
  readonly mostAwayMs: number;
}

/** Servers look for leases that have run out more often than that, where none of them is busy or dead. */
const judgementMs = 10_000;

type Fault = (breaking: Breaking) => Promise<string>;

const partsOf = ({ servers, runners }: Ground): readonly Part[] => [...servers, ...runners];
const away = ({ random, mostAwayMs }: Breaking): Promise<void> => pause(random.between(0, mostAwayMs));

async function killed(breaking: Breaking): Promise<string> {
  const part = breaking.random.pick(partsOf(breaking.ground));
  await part.kill();
  await pause(breaking.random.between(0, 3000));
  part.start();
  return `killed ${part.name}`;
}

async function killedBoth(breaking: Breaking): Promise<string> {
  const { ground, random } = breaking;
  const both = random.pick([ground.servers, ground.runners]);
  await Promise.all(both.map((part) => part.kill()));
  await away(breaking);
  for (const part of both) part.start();
  return `killed ${both.map(({ name }) => name).join(" and ")}`;
}

async function paused(breaking: Breaking): Promise<string> {
  const part = breaking.random.pick(partsOf(breaking.ground));
  part.pause();
  await away(breaking);
  part.resume();
  return `paused ${part.name}`;
}

/** As when the lid of a laptop is closed: beyond what a lease lasts, where there is the time. */
async function asleep({ ground, random, mostAwayMs }: Breaking): Promise<string> {
  const all = partsOf(ground);
  for (const part of all) part.pause();
  await pause(random.between(mostAwayMs, 3 * mostAwayMs));
  for (const part of all) part.resume();
  return "put everything to sleep";
}

/** The leases of a runner that sleeps run out, and those of one that does not: it has to drop what it is told to. */
async function overslept(breaking: Breaking): Promise<string> {
  const { ground, random } = breaking;
  const runner = random.pick(ground.runners);
  runner.pause();
  await ground.expireLeases();
  const judged = async () => ((await ground.expiredLeases()) === 0 ? true : null);
  await eventually("judgement", judged, judgementMs).catch(() => undefined);
  await away(breaking);
  runner.resume();
  return `let all leases run out while ${runner.name} slept`;
}

async function restarted({ ground, random }: Breaking): Promise<string> {
  const part = random.pick(partsOf(ground));
  await part.stop();
  part.start();
  return `stopped ${part.name} and started it again`;
}

async function cutFromDatabase({ ground }: Breaking): Promise<string> {
  await ground.cutDatabase();
  return "cut all connections to the database";
}

/** In the middle of whatever it does, with whatever it has locked. */
async function pausedBackend(breaking: Breaking): Promise<string> {
  const pids = await breaking.ground.backends();
  if (pids.length === 0) return "found no backend to pause";
  const pid = breaking.random.pick(pids);
  signal(pid, "SIGSTOP");
  await away(breaking);
  signal(pid, "SIGCONT");
  return "paused a backend of the database";
}

/** The database ends all others then, and recovers. */
async function killedBackend({ ground, random }: Breaking): Promise<string> {
  const pids = await ground.backends();
  if (pids.length === 0) return "found no backend to kill";
  signal(random.pick(pids), "SIGKILL");
  return "killed a backend of the database";
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended since it was listed.
  }
}

async function cutFromServer(breaking: Breaking): Promise<string> {
  const { lines, urls } = breaking.ground;
  const which = breaking.random.between(0, lines.length - 1);
  lines[which]?.to(null);
  await away(breaking);
  lines[which]?.to(urls[which] ?? null);
  return `cut runner ${which + 1} from its server`;
}

async function swallowed({ ground: { lines }, random }: Breaking): Promise<string> {
  const which = random.between(0, lines.length - 1);
  lines[which]?.swallowNextAnswer();
  return `lost an answer to runner ${which + 1}`;
}

/** As often as they stand here. */
const faults: readonly Fault[] = [
  killed,
  killed,
  killed,
  killedBoth,
  paused,
  paused,
  asleep,
  overslept,
  overslept,
  overslept,
  restarted,
  cutFromDatabase,
  pausedBackend,
  killedBackend,
  cutFromServer,
  swallowed,
  swallowed,
];

/** One fault after another, until told to stop; everything runs when this ends. Answers what was done. */
export async function breakThings(breaking: Breaking, over: AbortSignal): Promise<string[]> {
  const { ground, random } = breaking;
  const done: string[] = [];
  while (!over.aborted) {
    await pause(random.between(200, 2500), undefined, { signal: over }).catch(() => undefined);
    if (!over.aborted) done.push(await random.pick(faults)(breaking));
  }
  for (const part of partsOf(ground)) part.start();
  return done;
}
