import { isDeepStrictEqual } from "node:util";
import { type NamedOperation, takesKey, takesVersion } from "@roster/contract";
import { faultsOf, isAccepted, parsed, refused } from "./answer-check.ts";
import { type Finding, findingsAt } from "./finding.ts";
import { fingerprint, movedTables } from "./fingerprint.ts";
import { callOf, merged } from "./input.ts";
import { attempt, nameOf, type Outcome, type Trial } from "./trial.ts";
import type { MakeTrial } from "./try-change.ts";
import { sampleSource, validInputs } from "./valid-inputs.ts";
import { type Actor, idsOf, type World } from "./world.ts";

/**
 * What an `Idempotency-Key` promises of a change: the first answer again, one effect, also for two at once; another body
 * under the key is refused, and a refusal is not kept.
 */
export async function tryIdempotency(
  world: World,
  named: NamedOperation,
  make: MakeTrial,
  others: readonly Actor[],
): Promise<Finding[]> {
  if (!takesKey(named.operation)) return [];
  return [
    ...(await byAnother(world, named, await make(), others)),
    ...(await elsewhere(world, named, [await make(), await make()])),
    ...(await again(world, named, await make())),
    ...(await twoAtOnce(world, named, await make())),
    ...(await afterRefusal(world, named, await make())),
  ];
}

const withKey = (world: World, trial: Trial): Trial => ({
  ...trial,
  input: merged(trial.input, { headers: { "idempotency-key": `sweep-key-${world.next()}` } }),
});

async function again(world: World, named: NamedOperation, trial: Trial): Promise<Finding[]> {
  const keyed = withKey(world, trial);
  const first = await attempt(world, named, keyed);
  const second = await attempt(world, named, keyed);
  const faults = [
    ...(isReplayed(first) ? ["the first answer under a new key calls itself a replay"] : []),
    ...sameFaults(first, second),
    ...(isReplayed(second) ? [] : ["the second answer has no Idempotent-Replayed: true"]),
    ...(second.entries.length === 0 ? [] : [`the replay had an effect: ${actionsOf(second)}`]),
  ];
  if (named.operation.body !== undefined) faults.push(...(await otherBody(world, named, keyed)));
  return findingsAt(`${nameOf(trial)}, Idempotency-Key used again`, faults);
}

/** A key belongs to who sent it: another caller who may do the same in the home company does it anew. */
async function byAnother(
  world: World,
  named: NamedOperation,
  trial: Trial,
  others: readonly Actor[],
): Promise<Finding[]> {
  const actor = others.find(({ agent }) => agent?.companyId === world.home);
  const ids = idsOf(named.operation);
  if (actor === undefined || ids.length !== 1 || ids[0] !== "companyId") return [];
  const keyed = { ...withKey(world, trial), place: { companyId: world.home, params: { companyId: world.home } } };
  await attempt(world, named, keyed);
  const there = await attempt(world, named, { ...keyed, actor });
  const faults = isReplayed(there) ? [`answers ${saidIn(there)}`] : [];
  return findingsAt(`${actor.name}, Idempotency-Key of another caller`, faults);
}

/** A key belongs to a path, so at another one it is new. */
async function elsewhere(world: World, named: NamedOperation, [trial, other]: [Trial, Trial]): Promise<Finding[]> {
  const keyed = withKey(world, trial);
  const { path } = callOf(named, trial.actor, trial.place, trial.input);
  if (path === callOf(named, other.actor, other.place, other.input).path) return [];
  await attempt(world, named, keyed);
  const there = await attempt(world, named, {
    ...other,
    input: merged(other.input, { headers: keyed.input.headers ?? {} }),
  });
  const faults = isReplayed(there) || !isAccepted(there.answer) ? [`answers ${saidIn(there)}`] : [];
  return findingsAt(`${nameOf(trial)}, Idempotency-Key used at another path`, faults);
}

/** The same key by the same caller with another body that would be accepted for itself. */
async function otherBody(world: World, named: NamedOperation, keyed: Trial): Promise<string[]> {
  const source = sampleSource(world, keyed.actor, keyed.place);
  for (const { make } of validInputs(named)) {
    const input = merged(keyed.input, { body: (await make(source)).body });
    if (isDeepStrictEqual(input.body, keyed.input.body)) continue;
    const { answer, entries } = await attempt(world, named, { ...keyed, input });
    return [
      ...faultsOf(named.operation, answer, refused("idempotency_key_reused")),
      ...(entries.length === 0 ? [] : ["another body under the same key had an effect"]),
    ];
  }
  return ["is not tried with another body: none but this is known that it accepts"];
}

async function twoAtOnce(world: World, named: NamedOperation, trial: Trial): Promise<Finding[]> {
  const keyed = withKey(world, trial);
  const both = await Promise.all([attempt(world, named, keyed), attempt(world, named, keyed)]);
  const [first, second] = both;
  const replays = both.filter(isReplayed).length;
  const faults = sameFaults(first, second);
  if (replays !== 1) faults.push(`${replays} of the two answers are replays`);
  if (first.entries.length > 0 && second.entries.length > 0) faults.push(`both had an effect: ${actionsOf(first)}`);
  return findingsAt(`${nameOf(trial)}, Idempotency-Key used twice at once`, faults);
}

/** A refusal under a key leaves nothing behind, so the same key still serves for the good call. */
async function afterRefusal(world: World, named: NamedOperation, trial: Trial): Promise<Finding[]> {
  const keyed = withKey(world, trial);
  // A stale ETag is found out after the key was taken, a broken one before.
  const isVersioned = takesVersion(named.operation);
  const bad = merged(keyed.input, { headers: { "if-match": isVersioned ? '"9999"' : "broken" } });
  const before = await fingerprint(world);
  const first = await attempt(world, named, { ...keyed, input: bad });
  const moved = movedTables(before, await fingerprint(world)).filter((name) => name === "idempotency_keys");
  const second = await attempt(world, named, keyed);
  const faults = [
    ...faultsOf(named.operation, first.answer, refused(isVersioned ? "stale_revision" : "invalid_request")),
    ...(moved.length > 0 ? ["the refusal was kept"] : []),
    ...(isReplayed(second) || !isAccepted(second.answer) ? [`then the good call answers ${saidIn(second)}`] : []),
  ];
  return findingsAt(`${nameOf(trial)}, Idempotency-Key of a refused call`, faults);
}

function sameFaults(first: Outcome, second: Outcome): string[] {
  if (!isAccepted(first.answer)) return [`answers ${saidIn(first)}`];
  const isSame =
    first.answer.status === second.answer.status &&
    isDeepStrictEqual(parsed(first.answer.text), parsed(second.answer.text)) &&
    first.answer.headers.etag === second.answer.headers.etag &&
    first.answer.headers.location === second.answer.headers.location;
  return isSame ? [] : [`answers ${saidIn(first)}, then ${saidIn(second)}`];
}

const isReplayed = ({ answer }: Outcome): boolean => answer.headers["idempotent-replayed"] === "true";
const saidIn = ({ answer }: Outcome): string => `${answer.status} ${answer.text.slice(0, 200)}`;
const actionsOf = ({ entries }: Outcome): string => entries.map(({ action }) => action).join(", ");
