import type { NamedOperation } from "@roster/contract";
import { faultsOf, isAccepted } from "../sweep/answer-check.ts";
import { mayCall } from "../sweep/caller-kinds.ts";
import { entriesOf } from "../sweep/entries.ts";
import { type Fingerprint, fingerprint, movedTables } from "../sweep/fingerprint.ts";
import { inParallel } from "../sweep/in-parallel.ts";
import { callOf, type Input, merged } from "../sweep/input.ts";
import type { Stage } from "../sweep/start-world.ts";
import { causeOf } from "../sweep/trial.ts";
import { sampleSource, validInputs } from "../sweep/valid-inputs.ts";
import { findWay, type Ready, ready, type Way } from "../sweep/way.ts";
import type { Actor } from "../sweep/world.ts";

/** An operation with somebody who may call it and a place where it works. */
export interface Target {
  readonly stage: Stage;
  readonly named: NamedOperation;
  readonly actor: Actor;
  readonly way: Way;
  there: Ready;
  /** What is stored, as far as it is known that nothing has changed since. */
  stored: Fingerprint | null;
}

/** Finds out how the operation is called. */
export async function aimAt(stage: Stage, named: NamedOperation): Promise<Target> {
  const actor = stage.cast.find((kind) => mayCall(kind, named))?.actor;
  if (actor === undefined) throw new Error(`nobody may call ${named.name}`);
  const way = await findWay(stage.world, named, actor);
  return { stage, named, actor, way, there: await placeOf(stage, named, actor, way), stored: null };
}

async function placeOf({ world }: Stage, named: NamedOperation, actor: Actor, way: Way): Promise<Ready> {
  const there = await ready(world, named, actor, way);
  if (there === null) throw new Error(`${named.name}: the way has no such input`);
  return there;
}

/** Good bodies of every kind, as they are at the target's place. */
export async function goodBodies({ stage, named, actor, there }: Target): Promise<unknown[]> {
  const source = sampleSource(stage.world, actor, there.place);
  const bodies: unknown[] = [];
  for (const { make } of validInputs(named)) bodies.push((await make(source)).body);
  return bodies;
}

const width = 8;
/** Who is refused to sign in has tried, and is counted. */
const triesTable = "rate_limits";

/**
 * Makes calls that may be anything: none may break the server, every refusal has the one shape and a documented code, and
 * what was refused has left nothing behind. Throws with the first thing that is wrong.
 */
export async function tryBatch(target: Target, inputs: readonly Input[]): Promise<void> {
  const { stage, named, actor, way, there } = target;
  const { world } = stage;
  const before = target.stored ?? (await fingerprint(world));
  target.stored = null;
  const answers = await inParallel(inputs, width, (input) =>
    world.wire.send(callOf(named, actor, there.place, merged(there.input, input))),
  );
  for (const answer of answers) {
    const faults = [...faultsOf(named.operation, answer, { kind: "documented" }), ...causeOf(world, answer)];
    if (faults.length > 0) throw new Error(`${faults.join(", ")}: ${answer.text.slice(0, 300)}`);
  }
  const refused = answers.filter((answer) => !isAccepted(answer)).map(({ requestId }) => requestId);
  const [entry] = await entriesOf(world, refused);
  if (entry !== undefined) throw new Error(`a refused call left the entry ${entry.action}`);
  if (refused.length < answers.length && named.operation.method !== "GET") {
    target.there = await placeOf(stage, named, actor, way);
    return;
  }
  target.stored = await fingerprint(world);
  const moved = movedTables(before, target.stored).filter((table) => table !== triesTable);
  if (moved.length > 0) throw new Error(`calls that must change nothing wrote to ${moved.join(", ")}`);
}
