import { allOperations, type NamedOperation } from "@roster/contract";
import { isAccepted } from "./answer-check.ts";
import { entityStates } from "./entity-builders.ts";
import { callOf, type Input } from "./input.ts";
import { ownPlace, placeFor } from "./places.ts";
import { attempt } from "./trial.ts";
import { sampleSource, validInputs } from "./valid-inputs.ts";
import { type Actor, idsOf, type Place, type World } from "./world.ts";

/** How an operation is brought to be accepted: what to do first, and with which of its valid inputs. */
export interface Way {
  readonly label: string;
  /** Brings a place into the state that the operation needs. */
  readonly prepare: (place: Place) => Promise<void>;
  /** Which of the valid inputs it takes. */
  readonly choice: number;
}

type Preparation = Omit<Way, "choice">;

/**
 * Finds a way in which an operation is accepted. Most need nothing; some need another operation on the same entity
 * first (resume needs pause), or a state that no operation leads to. Throws with every answer when there is none.
 */
export async function findWay(world: World, named: NamedOperation, actor: Actor): Promise<Way> {
  const refused: string[] = [];
  for (const preparation of preparationsOf(world, named)) {
    for (let choice = 0; ; choice += 1) {
      const way = { ...preparation, choice };
      const there = await ready(world, named, actor, way);
      if (there === null) break;
      const { answer, entries } = await attempt(world, named, { actor, ...there, expected: { kind: "documented" } });
      if (isAccepted(answer) && (isQuiet(named) || entries.length > 0)) return way;
      refused.push(`  ${way.label}${there.label}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  }
  const advice = "add values to known-values.ts or a state to entity-builders.ts, both in apps/server/test/sweep";
  throw new Error(`${actor.name} gets no change accepted; ${advice}\n${refused.join("\n")}`);
}

/** True for what may be accepted without an entry in the log. */
const isQuiet = ({ operation: { method, machinery } }: NamedOperation): boolean =>
  method === "GET" || machinery === true;

/** A place of its own in the state that the operation needs, and the input that it takes there; null past the last. */
export async function ready(world: World, named: NamedOperation, actor: Actor, way: Way): Promise<Ready | null> {
  return readyAt(world, { named, actor, way }, await ownPlace(world, named.operation, actor));
}

/** A place where a call can be made, with an input that is good there. */
export interface Ready {
  readonly place: Place;
  readonly label: string;
  readonly input: Input;
}

interface Undertaking {
  readonly named: NamedOperation;
  readonly actor: Actor;
  readonly way: Way;
}

/** The same at a place that is there already. */
export async function readyAt(world: World, { named, actor, way }: Undertaking, place: Place): Promise<Ready | null> {
  const chosen = validInputs(named)[way.choice];
  if (chosen === undefined) return null;
  await way.prepare(place);
  return { place, label: chosen.label, input: await chosen.make(sampleSource(world, actor, place)) };
}

function* preparationsOf(world: World, named: NamedOperation): Generator<Preparation> {
  yield { label: "", prepare: () => Promise.resolve() };
  if (named.operation.method === "GET") return;
  const subject = idsOf(named.operation).at(-1);
  if (subject === undefined) return;
  for (const other of besides(named, subject)) {
    yield { label: `after ${other.name}, `, prepare: (place) => perform(world, other, place) };
  }
  for (const [state, make] of Object.entries(entityStates[subject.slice(0, -2)] ?? {})) {
    yield { label: `in state ${state}, `, prepare: (place) => make(world, place) };
  }
}

/** Other changes of the same entity. */
function besides({ name, operation }: NamedOperation, subject: string): NamedOperation[] {
  const root = operation.path.slice(0, operation.path.indexOf(`:${subject}`) + subject.length + 1);
  return allOperations().filter(({ name: other, operation: { path, method } }) => {
    const isOfEntity = path === root || path.startsWith(`${root}/`);
    return other !== name && isOfEntity && method !== "GET";
  });
}

/** Does the other operation with the first input that it takes; if it takes none, nothing is prepared. */
async function perform(world: World, other: NamedOperation, place: Place): Promise<void> {
  const there = await placeFor(world, other.operation, place);
  const source = sampleSource(world, world.board, there);
  for (const { make } of validInputs(other)) {
    if (isAccepted(await world.wire.send(callOf(other, world.board, there, await make(source))))) return;
  }
}
