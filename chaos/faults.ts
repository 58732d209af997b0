import { setTimeout as pause } from "node:timers/promises";
import type { Ground } from "./ground.ts";
import type { Part } from "./part.ts";
import type { Random } from "./random.ts";

type Fault = (ground: Ground, random: Random) => Promise<string>;

const anyPart = ({ servers, runners }: Ground, random: Random): Part => random.pick([...servers, ...runners]);

async function killed(ground: Ground, random: Random): Promise<string> {
  const part = anyPart(ground, random);
  await part.kill();
  await pause(random.between(0, 3000));
  part.start();
  return `killed ${part.name}`;
}

async function killedBoth({ servers, runners }: Ground, random: Random): Promise<string> {
  const both = random.pick([servers, runners]);
  await Promise.all(both.map((part) => part.kill()));
  await pause(random.between(0, 8000));
  for (const part of both) part.start();
  return `killed ${both.map(({ name }) => name).join(" and ")}`;
}

async function paused(ground: Ground, random: Random): Promise<string> {
  const part = anyPart(ground, random);
  part.pause();
  await pause(random.between(500, 15_000));
  part.resume();
  return `paused ${part.name}`;
}

async function restarted(ground: Ground, random: Random): Promise<string> {
  const part = anyPart(ground, random);
  await part.stop();
  part.start();
  return `stopped ${part.name} and started it again`;
}

async function cutFromDatabase(ground: Ground): Promise<string> {
  await ground.cutDatabase();
  return "cut all connections to the database";
}

async function cutFromServer({ lines, urls }: Ground, random: Random): Promise<string> {
  const which = random.between(0, lines.length - 1);
  lines[which]?.to(null);
  await pause(random.between(0, 10_000));
  lines[which]?.to(urls[which] ?? null);
  return `cut runner ${which + 1} from its server`;
}

async function swallowed({ lines }: Ground, random: Random): Promise<string> {
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
  restarted,
  cutFromDatabase,
  cutFromServer,
  swallowed,
  swallowed,
];

/** One fault after another, until told to stop; everything runs when this ends. Answers what was done. */
export async function breakThings(ground: Ground, random: Random, over: AbortSignal): Promise<string[]> {
  const done: string[] = [];
  while (!over.aborted) {
    await pause(random.between(200, 2500), undefined, { signal: over }).catch(() => undefined);
    if (!over.aborted) done.push(await random.pick(faults)(ground, random));
  }
  for (const part of [...ground.servers, ...ground.runners]) part.start();
  return done;
}
