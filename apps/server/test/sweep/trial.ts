import type { NamedOperation } from "@roster/contract";
import { type Expected, faultsOf, isAccepted } from "./answer-check.ts";
import { entriesOf, type LoggedEntry } from "./entries.ts";
import { type Finding, findingsAt } from "./finding.ts";
import { fingerprint, movedTables, tablesMovedBy } from "./fingerprint.ts";
import { inParallel } from "./in-parallel.ts";
import { callOf, type Input } from "./input.ts";
import type { Answer } from "./wire.ts";
import { type Actor, type Place, ruleOf, type World } from "./world.ts";

/** One call to be made, and what it should come to. */
export interface Trial {
  readonly label: string;
  readonly actor: Actor;
  readonly place: Place;
  readonly input: Input;
  readonly expected: Expected;
}

const width = 8;

/**
 * Makes calls that must change nothing: refusals and reads. Answers what is wrong, naming caller and case. That nothing
 * moved is looked at once for all of them; only if something did is each made again alone.
 */
export async function tryStill(world: World, named: NamedOperation, trials: readonly Trial[]): Promise<Finding[]> {
  const send = async (trial: Trial): Promise<Finding[]> => {
    const answer = await world.wire.send(callOf(named, trial.actor, trial.place, trial.input));
    return findingsAt(nameOf(trial), [...faultsOf(named.operation, answer, trial.expected), ...causeOf(world, answer)]);
  };
  const before = await fingerprint(world);
  const findings = (await inParallel(trials, width, send)).flat();
  const isUnmoved = movedTables(before, await fingerprint(world)).length === 0;
  if (isUnmoved || findings.length > 0) return findings;
  for (const trial of trials) {
    const moved = await tablesMovedBy(world, () => send(trial));
    if (moved.length === 0) continue;
    findings.push({ at: nameOf(trial), fault: `wrote to ${moved.join(", ")}, though it must change nothing` });
  }
  return findings;
}

/** What the server logged about an answer that broke it. */
export function causeOf({ server }: World, { status, requestId }: Answer): string[] {
  if (status !== 500) return [];
  const line = server.logged.find((logged) => logged.includes("internal error") && logged.includes(requestId));
  const { err } = JSON.parse(line ?? "{}") as { err?: { message?: string; cause?: { message?: string } } };
  return [`logged: ${err?.cause?.message ?? err?.message ?? "nothing"}`];
}

/** Caller and case, as messages name them. */
export const nameOf = ({ actor, label }: Trial): string => `${actor.name}, ${label}`;

/** A call and what it left in the log. */
export interface Outcome {
  readonly answer: Answer;
  readonly entries: readonly LoggedEntry[];
}

/** Headers that claim to be somebody else; only the credential counts. */
const pretences = {
  "x-agent-id": "00000000-0000-7000-8000-00000000000a",
  "x-user-id": "00000000-0000-7000-8000-00000000000b",
  "x-company-id": "00000000-0000-7000-8000-00000000000c",
  "x-run-id": "00000000-0000-7000-8000-00000000000d",
  "x-forwarded-for": "192.0.2.1",
};

/** Makes a call that may change something. */
export async function attempt(world: World, named: NamedOperation, trial: Trial): Promise<Outcome> {
  const { actor, place, input } = trial;
  const answer = await world.wire.send(
    callOf(named, actor, place, { ...input, headers: { ...pretences, ...input.headers } }),
  );
  return { answer, entries: isAccepted(answer) ? await entriesOf(world, [answer.requestId]) : [] };
}

/** What is wrong with a call that may have changed something: with its answer, or with what the log says of it. */
export function outcomeFaults(world: World, named: NamedOperation, trial: Trial, outcome: Outcome): Finding[] {
  const { answer, entries } = outcome;
  const faults = [...faultsOf(named.operation, answer, trial.expected), ...causeOf(world, answer)];
  // Who comes in with a token of the body is not who sent the credential.
  if (ruleOf(named.operation).public) return findingsAt(nameOf(trial), faults);
  const { kind, id, runId = null } = trial.actor.logged;
  const isCaller = (entry: LoggedEntry): boolean => entry.kind === kind && entry.id === id && entry.runId === runId;
  const strangers = entries.filter((entry) => entry.kind !== "system" && !isCaller(entry));
  for (const { action, ...actor } of strangers) {
    faults.push(`the log says ${action} by ${actor.kind} ${actor.id} in run ${actor.runId}`);
  }
  if (entries.length > 0 && !entries.some(isCaller)) faults.push("the log does not name the caller");
  return findingsAt(nameOf(trial), faults);
}
