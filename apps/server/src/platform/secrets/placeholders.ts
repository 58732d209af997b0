import { REDACTED } from "./detect.ts";
import { isJsonObject, type Json, type JsonObject, MAX_DEPTH } from "./json.ts";
import { redact } from "./redact.ts";

type Refused = { readonly ok: false; readonly code: "redacted_placeholder"; readonly path: string };
type Outcome<T> = { readonly ok: true; readonly value: T } | Refused;

/** The patch with the stored values its placeholders stood for, or the dotted path of one that stands for nothing. */
export type RestoredPatch = Outcome<JsonObject>;

/** The same place in what is stored and in what a reader was shown of it; undefined where there is nothing. */
type Before = { readonly stored: Json | undefined; readonly shown: Json | undefined };

function memberOf(object: Json | undefined, key: string): Json | undefined {
  return isJsonObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

function refuse(path: string): Refused {
  return { ok: false, code: "redacted_placeholder", path };
}

function below(key: string | number, path: string): string {
  return path === "" ? `${key}` : `${key}.${path}`;
}

function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, index) => equal(element, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

/** The path of the first placeholder, or of what is too deep to be searched; null if there is none. */
function findPlaceholder(value: Json, depth: number): string | null {
  if (value === REDACTED) return "";
  if (typeof value !== "object" || value === null) return null;
  if (depth >= MAX_DEPTH) return "";
  const members = isJsonObject(value) ? Object.entries(value) : value.entries();
  for (const [key, member] of members) {
    const path = findPlaceholder(member, depth + 1);
    if (path !== null) return below(key, path);
  }
  return null;
}

function restoreArray(patch: readonly Json[], before: Before, depth: number): Outcome<Json> {
  const path = findPlaceholder(patch, depth);
  if (path === null) return { ok: true, value: patch };
  // Elements have no names: after an insertion nobody can say which secret a placeholder stood for.
  if (before.stored !== undefined && equal(patch, before.shown)) return { ok: true, value: before.stored };
  return refuse(path);
}

function restoreObject(patch: JsonObject, before: Before, depth: number): Outcome<JsonObject> {
  const members: [string, Json][] = [];
  for (const [key, member] of Object.entries(patch)) {
    const inside: Before = { stored: memberOf(before.stored, key), shown: memberOf(before.shown, key) };
    const restored = restoreMember(member, inside, depth + 1);
    if (!restored.ok) return refuse(below(key, restored.path));
    members.push([key, restored.value]);
  }
  return { ok: true, value: Object.fromEntries(members) };
}

function restoreMember(patch: Json, before: Before, depth: number): Outcome<Json> {
  if (patch === REDACTED) {
    return before.stored !== undefined && before.shown === REDACTED ? { ok: true, value: before.stored } : refuse("");
  }
  if (typeof patch !== "object" || patch === null) return { ok: true, value: patch };
  if (depth >= MAX_DEPTH) return refuse("");
  return isJsonObject(patch) ? restoreObject(patch, before, depth) : restoreArray(patch, before, depth);
}

/**
 * Puts the stored values back where a patch repeats what a reader was shown. `"[redacted]"` means "unchanged" only as
 * the value of an object's member that exists at the same path of `stored` and reads redacted there; an array that
 * holds one must equal what was read, and is then the stored array. Anywhere else the patch is refused with the dotted
 * path, as in a creation, for which `stored` is undefined. What the patch replaces whole is left out of `stored` by the
 * caller; `stored` and `patch` start at the same level, because names on the way (`env`) decide what was redacted.
 * Never throws; a patch nested deeper than 500 levels is refused.
 */
export function restorePlaceholders(stored: JsonObject | undefined, patch: JsonObject): RestoredPatch {
  return restoreObject(patch, { stored, shown: stored === undefined ? undefined : redact(stored) }, 0);
}
