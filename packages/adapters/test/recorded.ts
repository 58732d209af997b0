import { readFileSync } from "node:fs";
import type { AdapterEvent, AdapterOrder, AdapterOutcome, ProgramEnding } from "@roster/adapter";
import type { SampleLine } from "@roster/adapter/conformance";
import { findAdapter } from "../src/index.ts";

/** What a real program has printed; standard error first, since nothing says how the two came in turn. */
export function recorded(name: string): readonly SampleLine[] {
  const text = readFileSync(new URL(`recorded/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as SampleLine);
}

/** An order for a program that works on its own, with nothing in it but what is named. */
export function orderWith(more: Partial<AdapterOrder> = {}): AdapterOrder {
  const ids = { runId: "run", companyId: "company", agentId: "agent" };
  const files = { cwd: "/srv/work", ownFolder: "/srv/own", instructionsFile: null, skillsFolder: null };
  const rest = { service: {}, environment: { HOME: "/home/ada" }, session: null, capMicros: null };
  return { settings: {}, prompt: "Do it.", ...ids, ...files, ...rest, ...more };
}

/** What is made of what a program printed, and of how it ended. */
export interface Understood {
  readonly events: readonly AdapterEvent[];
  readonly outcome: AdapterOutcome;
}

/** Lets the adapter of this type read a recorded run. */
export function understood(
  type: string,
  name: string,
  { exitCode = 0, ...order }: Partial<AdapterOrder> & Partial<Pick<ProgramEnding, "exitCode">> = {},
): Understood {
  const adapter = findAdapter(type);
  if (adapter === null) throw new Error(`There is no adapter ${type}.`);
  const translator = adapter.translator(orderWith(order));
  const told = recorded(name).flatMap(({ stream, text }) => translator.line(stream, text) ?? []);
  const events = [...told, ...(translator.end?.() ?? [])];
  return { events, outcome: translator.outcome({ exitCode, signal: null }) };
}

/** The data of the events of one kind. */
export const dataOf = (events: readonly AdapterEvent[], kind: AdapterEvent["kind"]): readonly unknown[] =>
  events.flatMap((event) => (event.kind === kind && event.kind !== "output" ? [event.data] : []));
