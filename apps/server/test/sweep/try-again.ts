import type { NamedOperation } from "@roster/contract";
import type { Expected } from "./answer-check.ts";
import { type Finding, findingsAt } from "./finding.ts";
import { attempt, nameOf, outcomeFaults, type Trial } from "./trial.ts";
import type { MakeTrial } from "./try-change.ts";
import type { World } from "./world.ts";

/** The same call a second time, without a key: refused for a documented reason, or accepted; `repeatable` has no effect. */
export async function tryAgain(world: World, named: NamedOperation, make: MakeTrial): Promise<Finding[]> {
  const { answer, method } = named.operation;
  if (method === "GET") return [];
  const isRepeatable = answer.kind === "created" && answer.repeatable === true;
  const trial = await make();
  await attempt(world, named, trial);
  const expected: Expected = { kind: isRepeatable ? "accepted" : "documented" };
  const again: Trial = { ...trial, label: `${trial.label}, a second time`, expected };
  const outcome = await attempt(world, named, again);
  const findings = outcomeFaults(world, named, again, outcome);
  if (!isRepeatable || (outcome.answer.status === 200 && outcome.entries.length === 0)) return findings;
  const entries = outcome.entries.map(({ action }) => action).join(", ") || "no entry";
  return [...findings, ...findingsAt(nameOf(again), [`answers ${outcome.answer.status} and leaves ${entries}`])];
}
