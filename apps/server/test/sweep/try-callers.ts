import type { NamedOperation, RefusalCode } from "@roster/contract";
import { type Expected, refused } from "./answer-check.ts";
import type { BadInput, Ground } from "./bad-input.ts";
import { badInputs } from "./bad-inputs.ts";
import type { Finding } from "./finding.ts";
import { merged } from "./input.ts";
import { ownPlace, placeFor } from "./places.ts";
import type { Cast } from "./start-world.ts";
import { type Trial, tryStill } from "./trial.ts";
import { tryChange } from "./try-change.ts";
import { type Ready, readyAt, type Way } from "./way.ts";
import { type Place, ruleOf, type World } from "./world.ts";

/** An operation, the way in which it is accepted, and bad inputs for it. */
export interface Known {
  readonly named: NamedOperation;
  readonly way: Way;
  readonly bad: readonly BadInput[];
}

/** What each kind of caller gets for a valid call and for bad ones, as the permission table says. */
export async function tryCallers(world: World, cast: readonly Cast[], known: Known): Promise<Finding[]> {
  const findings: Finding[] = [];
  const still: Trial[] = [];
  for (const one of fewWhereAnybodyMay(cast, known.named)) {
    const outcome = one.expects(known.named.operation);
    if (outcome === "accepted" || outcome === "decided") findings.push(...(await tryAllowed(world, one, known)));
    else still.push(...(await refusedTrials(world, one, known, outcome)));
  }
  return [...findings, ...(await tryStill(world, known.named, still))];
}

const enough = 3;

/** Coming in costs a password's hash and looks at no credential: a few callers show that. */
const fewWhereAnybodyMay = (cast: readonly Cast[], { operation }: NamedOperation): readonly Cast[] =>
  ruleOf(operation).public && operation.method !== "GET" ? cast.slice(0, enough) : cast;

const mostBad = 12;

/** Whoever may not call at all is told so, whatever else is wrong; only what precedes the question who calls may win. */
async function refusedTrials(world: World, one: Cast, { named, way, bad }: Known, code: RefusalCode): Promise<Trial[]> {
  const { actor } = one;
  const place = await placeAbout(world, one, named);
  const there = await readyAt(world, { named, actor, way: { ...way, prepare: () => Promise.resolve() } }, place);
  if (there === null) return [];
  const inputs = bad.filter(({ found }) => found !== "path");
  const step = Math.max(1, Math.floor(inputs.length / mostBad));
  const some = inputs.filter((input, index) => index % step === 0 || input.found === "wire");
  return [
    { actor, ...there, expected: refused(code) },
    ...some.map(({ label, input, expected, found }) => ({
      label,
      actor,
      place,
      input: merged(there.input, input),
      expected: found === "wire" ? expected : refused(code),
    })),
  ];
}

async function tryAllowed(world: World, one: Cast, { named, way }: Known): Promise<Finding[]> {
  const { actor } = one;
  const isRead = named.operation.method === "GET";
  const late = one.lateRefusal?.(named.operation);
  const isAccepted = one.expects(named.operation) === "accepted" && isRead;
  const expected: Expected = late ? refused(late) : { kind: isAccepted ? "accepted" : "decided" };
  const make = async (): Promise<Trial> => {
    const there = await readyAt(world, { named, actor, way }, await placeAbout(world, one, named));
    return { actor, expected, ...(there as Ready) };
  };
  const findings = isRead ? await tryStill(world, named, [await make()]) : await tryChange(world, named, make);
  const isThorough = one.about === "own" && (!one.isBrief || ruleOf(named.operation).agent === "run");
  return isThorough ? [...findings, ...(await tryBad(world, named, await make()))] : findings;
}

/** Everything bad, by a caller who may call; what lies in the state of things may come before it. */
async function tryBad(
  world: World,
  named: NamedOperation,
  { actor, place, input, expected }: Trial,
): Promise<Finding[]> {
  const ground: Ground = { world, named, actor, place, good: input };
  const early: readonly RefusalCode[] =
    expected.kind === "decided" ? ["forbidden", ...(named.operation.refusals ?? [])] : [];
  const trials = (await badInputs(ground)).map((bad) => ({
    label: bad.label,
    actor,
    place,
    input: merged(input, bad.input),
    expected: bad.found === "state" && bad.expected.kind === "refused" ? withCodes(bad.expected, early) : bad.expected,
  }));
  return tryStill(world, named, trials);
}

const withCodes = (
  { at, codes, ...rest }: Expected & { kind: "refused" },
  early: readonly RefusalCode[],
): Expected => ({
  ...rest,
  codes: [...codes, ...early],
  ...(early.length === 0 && at !== undefined && { at }),
});

/** Where somebody of this kind makes a valid call. */
const placeAbout = (world: World, { about, actor }: Cast, { operation }: NamedOperation): Promise<Place> =>
  about === "own"
    ? ownPlace(world, operation, actor)
    : placeFor(world, operation, { companyId: world.home, params: {} });
