import { findSecretShapes, isHidden, REDACTED } from "./detect.ts";
import { isJsonObject, type Json, type JsonObject, MAX_DEPTH } from "./json.ts";
import { type FieldKind, isDescriptionName, kindOfField } from "./secret-name.ts";

/** Where a value stands: what its field is meant to hold, whether it is below `env`, and how deep. */
type Place = { readonly kind: FieldKind; readonly inEnv: boolean; readonly depth: number };

function placeOfMember(key: string, object: JsonObject, place: Place): Place {
  const depth = place.depth + 1;
  // The two written-out forms of an `env` value: of the first, `value` is what the variable's name speaks of; of the
  // second, everything is public, because the secret is elsewhere.
  if (object.type === "plain" && key === "value") return { ...place, depth };
  if (object.type === "plain" && key === "type") return { kind: "ordinary", inEnv: false, depth };
  if (object.type === "secret_ref") return { kind: "ordinary", inEnv: false, depth };
  // What is below a field for secrets is one itself, unless its own name says that it only describes one.
  const inherits = place.kind === "secret" && !isDescriptionName(key);
  return { kind: inherits ? "secret" : kindOfField(key), inEnv: place.inEnv || key === "env", depth };
}

function redactAt(value: Json, place: Place): Json {
  if (typeof value === "string") return isHidden(value, place.kind, place.inEnv) ? REDACTED : value;
  if (typeof value === "number") return place.kind === "secret" ? REDACTED : value;
  if (typeof value !== "object" || value === null) return value;
  if (place.depth >= MAX_DEPTH) return REDACTED;
  if (!isJsonObject(value)) {
    const inside = { ...place, depth: place.depth + 1 };
    return value.map((element) => redactAt(element, inside));
  }
  const members = Object.entries(value).map(
    ([key, member]) => [key, redactAt(member, placeOfMember(key, value, place))] as const,
  );
  // Unlike an assignment, this makes an own member of a key `__proto__` too.
  return Object.fromEntries(members);
}

/**
 * A deep copy of a configuration in which every secret reads `"[redacted]"`: texts and numbers by the name of their
 * field, texts by their form, and below a member named `env` also by looking random. References to stored secrets
 * (`{ type: "secret_ref", secretId, version }`) stay as they are. What is nested deeper than 500 levels is redacted
 * whole. Redacting twice changes nothing.
 */
export function redact(value: JsonObject): JsonObject;
export function redact(value: Json): Json;
export function redact(value: Json): Json {
  return redactAt(value, { kind: "ordinary", inEnv: false, depth: 0 });
}

const SECRET_FIELD =
  "(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)";

// A field for secrets and its value, as programs print them: name=value (queries, environments), and JSON.
const ASSIGNMENTS: readonly RegExp[] = [
  new RegExp(`(?<keep>${SECRET_FIELD}=)(?!\\[redacted\\])(?:"[^"\\n]*"|'[^'\\n]*'|[^\\s"'&;,)}\\]<>]+)`, "gi"),
  new RegExp(`(?<keep>${SECRET_FIELD}"\\s{0,8}:\\s{0,8}")(?!\\[redacted\\])(?:[^"\\\\]|\\\\.)+`, "gis"),
];

type Span = { readonly start: number; readonly end: number };

function assignedSecrets(text: string): Span[] {
  return ASSIGNMENTS.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match) => ({
      start: match.index + (match.groups?.keep?.length ?? 0),
      end: match.index + match[0].length,
    })),
  );
}

function replaceSpans(text: string, spans: Span[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of spans.sort((a, b) => a.start - b.start)) {
    if (start >= done) pieces.push(text.slice(done, start), REDACTED);
    done = Math.max(done, end);
  }
  pieces.push(text.slice(done));
  return pieces.join("");
}

/** A text with whatever has a published shape replaced by `"[redacted]"`, and nothing else. Linear in the text. */
export const hideShapes = (text: string): string => replaceSpans(text, findSecretShapes(text));

/**
 * A free text (a log line, an error message) with every secret in it replaced by `"[redacted]"`: whatever has a
 * published shape, and the values of fields named like secrets in `name=value` and JSON notation. Linear in the text.
 */
export function redactText(text: string): string {
  // The shapes come second: a value taken out of a longer word can leave one.
  return hideShapes(replaceSpans(text, assignedSecrets(text)));
}
