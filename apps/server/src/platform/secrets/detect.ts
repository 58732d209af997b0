import { isPlainPath, looksRandom } from "./randomness.ts";
import { type FieldKind, kindOfField } from "./secret-name.ts";
import { secretShapes } from "./shapes.ts";

/** What stands in place of a secret wherever one would be shown. */
export const REDACTED = "[redacted]";

/** Where in a text a secret is: the UTF-16 offsets of the secret itself, `end` excluded, and the name of its shape. */
export type FoundSecret = { readonly shape: string; readonly start: number; readonly end: number };

/** A text as the member of an object: its own name there, and whether it is below a member named `env`. */
export type NamedText = { readonly name: string; readonly value: string; readonly inEnv: boolean };

// A password of one letter in a URL. Most texts of a configuration are short: this answers for many of them.
const SHORTEST = "://:p@".length;

const SWITCH = /^(?:true|false|yes|no|on|off|none|null|undefined|[01])$/i;

function placeOf(shape: string, match: RegExpExecArray): FoundSecret {
  const start = match.index + (match.groups?.keep?.length ?? 0);
  return { shape, start, end: match.index + match[0].length };
}

/**
 * The first text of the published shapes, or null. Goes by the form alone, so it holds for any text: `env` or not,
 * whatever the field is called. Linear in the text.
 */
export function findSecretShape(text: string): FoundSecret | null {
  if (text.length < SHORTEST) return null;
  let first: FoundSecret | null = null;
  for (const { name, pattern } of secretShapes) {
    pattern.lastIndex = 0;
    const match = pattern.exec(text);
    if (match === null) continue;
    const found = placeOf(name, match);
    if (first === null || found.start < first.start) first = found;
  }
  return first;
}

/** Every text of the published shapes, by shape; places may overlap. Linear in the text. */
export function findSecretShapes(text: string): FoundSecret[] {
  return secretShapes.flatMap(({ name, pattern }) => {
    pattern.lastIndex = 0;
    return Array.from(text.matchAll(pattern), (match) => placeOf(name, match));
  });
}

/** Whether a value is hidden in a field of this kind; {@link looksSecret} with the name already judged. */
export function isHidden(value: string, kind: FieldKind, inEnv: boolean): boolean {
  if (value === "" || value === REDACTED) return false;
  if (findSecretShape(value) !== null) return true;
  if (kind === "secret") return !SWITCH.test(value) && !isPlainPath(value);
  return inEnv && kind === "ordinary" && looksRandom(value);
}

/**
 * Whether a value is hidden from readers: by its shape; by its name (`DB_PASSWORD`, unless the value is a switch or a
 * path); and inside `env` also by looking random, unless its name says that it is an id, a commit or a digest.
 */
export function looksSecret({ name, value, inEnv }: NamedText): boolean {
  return isHidden(value, kindOfField(name), inEnv);
}
