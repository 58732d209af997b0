import type { NamedOperation } from "@roster/contract";
import { isAccepted } from "./answer-check.ts";
import { type Finding, findingsAt } from "./finding.ts";
import { tablesMovedBy } from "./fingerprint.ts";
import { locationFaults } from "./location.ts";
import { attempt, nameOf, outcomeFaults, type Trial } from "./trial.ts";
import { validInputs } from "./valid-inputs.ts";
import { ready, type Way } from "./way.ts";
import type { Actor, World } from "./world.ts";

/** A call to be made at a place of its own, made anew for each try. */
export type MakeTrial = () => Promise<Trial>;

/**
 * Makes a call that may change something. What it accepts is in the log under the caller's name, and what it creates can
 * be read where `Location` says; a call that leaves no entry has changed nothing.
 */
export async function tryChange(world: World, named: NamedOperation, make: MakeTrial): Promise<Finding[]> {
  const trial = await make();
  const outcome = await attempt(world, named, trial);
  const findings = outcomeFaults(world, named, trial, outcome);
  if (!isAccepted(outcome.answer)) return findings;
  const faults: string[] = [];
  if (outcome.entries.length === 0 && named.operation.method !== "GET") {
    const allowed = named.operation.machinery ? machineryTables : [];
    const moved = (await movedUnlogged(world, named, make)).filter((table) => !allowed.includes(table));
    if (moved.length > 0) faults.push(`wrote to ${moved.join(", ")} without an entry in the log`);
  }
  faults.push(...(await locationFaults(world, named, trial.actor, outcome.answer)));
  return [...findings, ...findingsAt(nameOf(trial), faults)];
}

/** What is written without an entry in the log, by those whose business it is. */
const machineryTables: readonly string[] = [
  "agent_checks",
  "leases",
  "rate_limits",
  "run_events",
  "runner_programs",
  "runner_sightings",
  "sessions",
];

async function movedUnlogged(world: World, named: NamedOperation, make: MakeTrial): Promise<string[]> {
  const trials = [await make(), await make(), await make()];
  return tablesMovedBy(world, async () => {
    const trial = trials.pop();
    if (trial !== undefined) await attempt(world, named, trial);
  });
}

/** Every valid input of an operation, each tried at a place of its own. */
export async function tryValidInputs(world: World, named: NamedOperation, actor: Actor, way: Way): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const choice of validInputs(named).keys()) {
    // What is not the proven way may be refused for what it asks, never for its form.
    const expected = { kind: choice === way.choice ? ("accepted" as const) : ("decided" as const) };
    findings.push(
      ...(await tryChange(world, named, makerOf(world, named, { actor, way: { ...way, choice }, expected }))),
    );
  }
  return findings;
}

/** Makes trials along a way. */
export function makerOf(
  world: World,
  named: NamedOperation,
  { actor, way, expected }: { actor: Actor; way: Way } & Pick<Trial, "expected">,
): MakeTrial {
  return async () => {
    const there = await ready(world, named, actor, way);
    if (there === null) throw new Error(`${named.name}: the way has no such input`);
    return { actor, expected, ...there, label: `${way.label}${there.label}` };
  };
}
