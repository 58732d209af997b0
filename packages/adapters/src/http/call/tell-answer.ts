import type { IncomingMessage } from "node:http";
import { sayBytes, sayEvent, sayText } from "./say.ts";

/** More is told as text: what a program prints as one event is not larger either. */
const mostJsonBytes = 512 * 1024;

/** What an answer in JSON says of a run, as far as it says it in this form. */
interface Said {
  readonly isError: boolean;
  readonly text: unknown;
}

/**
 * Prints an answer: what it says in JSON of a run as events, everything else as it is, however much that is. It is cut
 * where all output is, after secrets were taken out. Throws when it breaks off.
 */
export async function tellAnswer(answer: IncomingMessage): Promise<Said | null> {
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(answer.headers["content-type"] ?? "");
  let held: Buffer[] | null = isJson ? [] : null;
  if (!isJson) sayText();
  for await (const part of answer as AsyncIterable<Buffer>) {
    held?.push(part);
    if (held === null) sayBytes(part);
    else if (held.reduce((sum, { length }) => sum + length, 0) > mostJsonBytes) {
      tellText(held);
      held = null;
    }
  }
  return held === null ? null : tellJson(held);
}

/** Prints an answer as it is. */
export async function tellAsText(answer: IncomingMessage): Promise<void> {
  sayText();
  for await (const part of answer as AsyncIterable<Buffer>) sayBytes(part);
}

function tellJson(parts: readonly Buffer[]): Said | null {
  const value = objectIn(Buffer.concat(parts).toString("utf8"));
  const { text, isError, usage, session } = value ?? {};
  const saysSomething =
    typeof text === "string" || typeof isError === "boolean" || Array.isArray(usage) || isObject(session);
  if (!saysSomething) {
    tellText(parts);
    return null;
  }
  for (const used of Array.isArray(usage) ? usage : []) sayEvent({ ...(isObject(used) && used), type: "usage" });
  if (isObject(session)) sayEvent({ ...session, type: "session" });
  sayEvent({ type: "result", ...(text !== undefined && { text }), isError: isError === true });
  return { isError: isError === true, text };
}

function tellText(parts: readonly Buffer[]): void {
  sayText();
  for (const part of parts) sayBytes(part);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
