import type { NamedOperation } from "@roster/contract";
import { inParallel } from "../sweep/in-parallel.ts";
import { callOf } from "../sweep/input.ts";
import { schemaOf } from "../sweep/input-schema.ts";
import { ownPlace } from "../sweep/places.ts";
import { sampleSource } from "../sweep/valid-inputs.ts";
import { findWay, ready, readyAt, type Way } from "../sweep/way.ts";
import type { Answer, Call } from "../sweep/wire.ts";
import type { Actor, Place, World } from "../sweep/world.ts";
import type { Aviary } from "./aviary.ts";
import { canaryForms, type Strength } from "./canaries.ts";
import { type Plant, plantsIn } from "./plants.ts";

/** Who calls what, and how the call comes to be accepted. */
export interface Garden {
  readonly named: NamedOperation;
  readonly actor: Actor;
  readonly way: Way;
  readonly place: Place;
}

/** A call with a canary in it. */
interface Attempt {
  readonly label: string;
  readonly takesSecrets: boolean;
  readonly call: () => Promise<Call>;
}

const width = 8;
const recognised: Readonly<Record<Strength, readonly Strength[]>> = {
  form: ["form"],
  random: ["form", "random"],
  named: ["form", "random", "named"],
};

/** A place where this actor's call is accepted. */
export async function gardenOf(world: World, named: NamedOperation, actor: Actor): Promise<Garden> {
  const way = await findWay(world, named, actor);
  return { named, actor, way, place: await ownPlace(world, named.operation, actor) };
}

/**
 * Plants a canary of every form in every place of an operation's body. Answers what is wrong: an answer that shows one, a
 * place that takes one and should not, or refuses one and should not.
 */
export async function plantEverywhere(world: World, garden: Garden, aviary: Aviary): Promise<string[]> {
  const attempts = [...(await wellFormed(world, garden, aviary)), ...malformed(garden, aviary)];
  const faults = await inParallel(attempts, width, async ({ label, takesSecrets, call }) => {
    const answer = await world.wire.send(await call());
    return faultsOf(aviary, answer, takesSecrets).map((fault) => `${label}: ${fault}`);
  });
  return faults.flat();
}

async function wellFormed(world: World, garden: Garden, aviary: Aviary): Promise<Attempt[]> {
  const { named, actor, place } = garden;
  if (named.operation.body === undefined) return [];
  const plants = await plantsIn(schemaOf(named.operation.body, "input"), sampleSource(world, actor, place));
  const seen = new Set<string>();
  return plants.flatMap((plant, index) => {
    const forms = canaryForms.filter(({ strength }) => recognised[plant.strength].includes(strength));
    // The settings that adapters share are gone through once, and then only tried.
    const chosen = seen.has(plant.place) ? forms.slice(index % forms.length).slice(0, 1) : forms;
    seen.add(plant.place);
    return chosen.map((form) => {
      const where = plant.adapter === undefined ? plant.place : `${plant.place} of ${plant.adapter}`;
      const label = `${named.name}, ${where}, ${form.name}`;
      const text = aviary.release(form, label);
      return { label, takesSecrets: plant.takesSecrets, call: () => callWith(world, garden, plant, text) };
    });
  });
}

/** The call that would be accepted, but for the text. */
async function callWith(world: World, { named, actor, way, place }: Garden, plant: Plant, text: string): Promise<Call> {
  const isAlwaysReady = way.label === "";
  const there = isAlwaysReady
    ? await readyAt(world, { named, actor, way }, place)
    : await ready(world, named, actor, way);
  if (there === null) throw new Error(`${named.name} is not accepted any more`);
  // Answers are kept for those who repeat a request: what is kept must hold no secret either.
  const headers = named.operation.method === "POST" ? { "idempotency-key": `canary-${world.next()}` } : {};
  return callOf(named, actor, there.place, { ...there.input, body: plant.put(there.input.body, text), headers });
}

/** What no parser can read could still be quoted. */
function malformed({ named, actor, place }: Garden, aviary: Aviary): Attempt[] {
  const broken: Readonly<Record<string, (text: string) => string>> = {
    "a text without its end": (text) => `"${text}`,
    "an object without its end": (text) => `{"name": "${text}"`,
    "no JSON at all": (text) => text,
  };
  return Object.entries(broken).flatMap(([name, write]) =>
    ["application/json", "text/plain"].flatMap((type) =>
      canaryForms.slice(0, 1).map((form) => {
        const label = `${named.name}, ${name}, as ${type}`;
        const rawBody = write(aviary.release(form, label));
        const call = callOf(named, actor, place, { rawBody, headers: { "content-type": type } });
        return { label, takesSecrets: false, call: () => Promise.resolve(call) };
      }),
    ),
  );
}

function faultsOf(aviary: Aviary, { status, text, headers }: Answer, takesSecrets: boolean): string[] {
  const shown = aviary.traces(`${JSON.stringify(headers)} ${text}`).map((trace) => `the answer shows it: ${trace}`);
  if (status >= 500) return [...shown, `broke the server: ${status} ${text}`];
  // 409 is about the entity's state, not about the body; 401 says of a password or token that it is another.
  if (takesSecrets && status >= 400 && status !== 409 && status !== 401)
    return [...shown, `was refused: ${status} ${text}`];
  if (!takesSecrets && status < 400) return [...shown, `was taken: ${status} ${text}`];
  return shown;
}
