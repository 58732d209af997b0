import { PatternAutomaton } from "./pattern-automaton.ts";
import { Scrubber } from "./scrubber.ts";
import { secretForms } from "./secret-forms.ts";

/**
 * The same value of JSON, in whose texts, names of members included, `[redacted]` stands for every form of the secrets.
 * Pure.
 */
export function scrubTexts<T>(value: T, secrets: readonly string[]): T {
  const automaton = new PatternAutomaton(secretForms(secrets));
  const scrub = (text: string): string => {
    const scrubber = new Scrubber(automaton);
    const pieces = [...scrubber.push(Buffer.from(text)), ...scrubber.end()];
    return Buffer.concat(pieces.map(({ bytes }) => bytes)).toString();
  };
  const walk = (part: unknown): unknown => {
    if (typeof part === "string") return scrub(part);
    if (Array.isArray(part)) return part.map(walk);
    if (part === null || typeof part !== "object") return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [scrub(name), walk(member)]));
  };
  // Texts stay texts and all else is as it was.
  return walk(value) as T;
}
