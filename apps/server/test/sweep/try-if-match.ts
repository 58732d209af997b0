import { isDeepStrictEqual } from "node:util";
import { allOperations, type NamedOperation, takesVersion } from "@roster/contract";
import { isAccepted, parsed, refused } from "./answer-check.ts";
import { type Finding, findingsAt } from "./finding.ts";
import { callOf, merged } from "./input.ts";
import { attempt, nameOf, type Outcome, outcomeFaults, type Trial } from "./trial.ts";
import { type MakeTrial, tryChange } from "./try-change.ts";
import type { World } from "./world.ts";

/**
 * What `If-Match` promises of a versioned change: `*` and the present ETag are let through; of two edits based on the
 * same ETag only one is made, whether they come at once or one after the other.
 */
export async function tryIfMatch(world: World, named: NamedOperation, make: MakeTrial): Promise<Finding[]> {
  if (!takesVersion(named.operation)) return [];
  const findings = await tryChange(world, named, async () => withTag(await make(), "*"));
  const read = readBeside(named);
  if (read === undefined)
    return [...findings, ...findingsAt("If-Match", ["nothing answers the ETag of what it changes"])];
  const tagged = async (): Promise<Trial> => {
    const trial = await make();
    return withTag(trial, (await world.wire.send(callOf(read, trial.actor, trial.place))).headers.etag ?? "none");
  };
  findings.push(...(await tryChange(world, named, tagged)));
  // Commands look at the state first, so only edits are sure to fail for the ETag alone.
  if (named.operation.method !== "PATCH") return findings;
  return [
    ...findings,
    ...(await oneAfterTheOther(world, named, read, tagged)),
    ...(await atOnce(world, named, tagged)),
  ];
}

const withTag = (trial: Trial, tag: string): Trial => ({
  ...trial,
  label: `${trial.label}, If-Match ${tag}`,
  input: merged(trial.input, { headers: { "if-match": tag } }),
});

/** The operation that reads the entity which an operation changes: the nearest above it, a member's before its company's. */
const readBeside = ({ operation: { path } }: NamedOperation): NamedOperation | undefined =>
  allOperations()
    .filter(({ operation: { method, path: other, answer } }) => {
      const isVersioned = answer.kind === "record" && answer.versioned === true;
      return method === "GET" && isVersioned && (path === other || path.startsWith(`${other}/`));
    })
    .sort((one, other) => other.operation.path.length - one.operation.path.length)[0];

/** Who is late is refused, and told what is there now and its ETag. */
async function oneAfterTheOther(
  world: World,
  named: NamedOperation,
  read: NamedOperation,
  tagged: MakeTrial,
): Promise<Finding[]> {
  const trial = await tagged();
  await attempt(world, named, trial);
  const late = { ...trial, label: `${trial.label}, a second time`, expected: refused("stale_revision") };
  const outcome = await attempt(world, named, late);
  const findings = outcomeFaults(world, named, late, outcome);
  const { fix } = parsed(outcome.answer.text) as { readonly fix?: unknown };
  const present = await world.wire.send(callOf(read, trial.actor, trial.place));
  const isTold = isDeepStrictEqual(fix, { etag: present.headers.etag, present: parsed(present.text) });
  return isTold
    ? findings
    : [...findings, ...findingsAt(nameOf(late), ["the refusal does not hold what is there now"])];
}

async function atOnce(world: World, named: NamedOperation, tagged: MakeTrial): Promise<Finding[]> {
  const trial = await tagged();
  const outcomes: Outcome[] = await Promise.all([attempt(world, named, trial), attempt(world, named, trial)]);
  const statuses = outcomes.map(({ answer }) => answer.status).sort();
  const made = outcomes.filter(({ answer, entries }) => isAccepted(answer) && entries.length > 0).length;
  const isRight = made === 1 && statuses[1] === 412;
  return isRight ? [] : findingsAt(`${nameOf(trial)}, twice at once`, [`answers ${statuses.join(" and ")}`]);
}
