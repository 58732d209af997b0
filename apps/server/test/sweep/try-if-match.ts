import { allOperations, type NamedOperation } from "@roster/contract";
import { isAccepted, refused } from "./answer-check.ts";
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
  const { answer, method } = named.operation;
  if (answer.kind !== "record" || !answer.versioned || method === "GET") return [];
  const findings = await tryChange(world, named, async () => withTag(await make(), "*"));
  const read = readBeside(named);
  if (read === undefined) return findings;
  const tagged = async (): Promise<Trial> => {
    const trial = await make();
    return withTag(trial, (await world.wire.send(callOf(read, trial.actor, trial.place))).headers.etag ?? "none");
  };
  findings.push(...(await tryChange(world, named, tagged)));
  // Commands look at the state first, so only edits are sure to fail for the ETag alone.
  if (method !== "PATCH") return findings;
  return [...findings, ...(await oneAfterTheOther(world, named, tagged)), ...(await atOnce(world, named, tagged))];
}

const withTag = (trial: Trial, tag: string): Trial => ({
  ...trial,
  label: `${trial.label}, If-Match ${tag}`,
  input: merged(trial.input, { headers: { "if-match": tag } }),
});

/** The operation that reads the entity which an operation changes. */
const readBeside = ({ operation: { path } }: NamedOperation): NamedOperation | undefined =>
  allOperations().find(({ operation: { method, path: other, answer } }) => {
    const isVersioned = answer.kind === "record" && answer.versioned === true;
    return method === "GET" && isVersioned && (path === other || path.startsWith(`${other}/`));
  });

async function oneAfterTheOther(world: World, named: NamedOperation, tagged: MakeTrial): Promise<Finding[]> {
  const trial = await tagged();
  await attempt(world, named, trial);
  const late = { ...trial, label: `${trial.label}, a second time`, expected: refused("stale_revision") };
  return outcomeFaults(world, named, late, await attempt(world, named, late));
}

async function atOnce(world: World, named: NamedOperation, tagged: MakeTrial): Promise<Finding[]> {
  const trial = await tagged();
  const outcomes: Outcome[] = await Promise.all([attempt(world, named, trial), attempt(world, named, trial)]);
  const statuses = outcomes.map(({ answer }) => answer.status).sort();
  const made = outcomes.filter(({ answer, entries }) => isAccepted(answer) && entries.length > 0).length;
  const isRight = made === 1 && statuses[1] === 412;
  return isRight ? [] : findingsAt(`${nameOf(trial)}, twice at once`, [`answers ${statuses.join(" and ")}`]);
}
