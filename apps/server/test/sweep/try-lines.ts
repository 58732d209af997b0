import type { NamedOperation } from "@roster/contract";
import { faultsOf, parsedLines } from "./answer-check.ts";
import { type Finding, findingsAt } from "./finding.ts";
import { callOf } from "./input.ts";
import { nameOf, type Trial } from "./trial.ts";
import type { World } from "./world.ts";

/** What an answer in lines promises: each is an item, and none comes twice. */
export async function tryLines(world: World, named: NamedOperation, trial: Trial): Promise<Finding[]> {
  if (named.operation.answer.kind !== "lines") return [];
  // The log of a new company is short.
  await world.build("issue", { companyId: trial.place.companyId, params: {} });
  const answer = await world.wire.send(callOf(named, trial.actor, trial.place, trial.input));
  const faults = faultsOf(named.operation, answer, trial.expected);
  const items = (parsedLines(answer.text) ?? []).map((item) => JSON.stringify(item));
  if (items.length < 2) faults.push(`has ${items.length} lines, too few to look at them`);
  if (new Set(items).size < items.length) faults.push("shows an item twice");
  return findingsAt(nameOf(trial), faults);
}
