import type { Turn } from "./turn.ts";

/** An event of an answer that is streamed; `name` where the API names its events. */
export interface StreamedEvent {
  readonly name?: string;
  readonly data: unknown;
}

/** What a program has asked. */
export interface Question {
  readonly path: string;
  /** How the program says who it is. */
  readonly key: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An API of a provider of models, as far as programs that work on their own use it. */
export interface Dialect {
  speaks(path: string): boolean;
  /** What the last command has printed; empty where none was run. Pure. */
  printed(body: Question["body"]): string;
  /** A turn that is no refusal as the API streams it; of one that is cut off, what comes before. */
  events(turn: Exclude<Turn, { refusal: number }>, question: Question): readonly StreamedEvent[];
  refusal(status: number, message: string): unknown;
}

/** The name of the tool that runs commands, as the program offers it. Pure. */
export function shellTool(body: Question["body"], names: readonly string[]): string {
  const offered = JSON.stringify(body["tools"] ?? []);
  return names.find((name) => offered.includes(`"name":"${name}"`)) ?? names[0] ?? "shell";
}

/** The last element for which there is something; null where there is none. Pure. */
export function lastOf<T, R>(list: readonly T[], pick: (element: T) => R | null): R | null {
  for (const element of [...list].reverse()) {
    const picked = pick(element);
    if (picked !== null) return picked;
  }
  return null;
}

/** Everything in a value that is a text, joined: APIs wrap what a command printed in different ways. Pure. */
export function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(textIn).join("");
}
