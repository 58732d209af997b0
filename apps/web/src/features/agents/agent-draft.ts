import type { Agent, AgentChange, Difference, JsonObject, TextDifference } from "@roster/client";
import { lineDifference } from "../../design/line-difference.ts";

type Json = JsonObject[string];

/** Everything of an agent that a person changes at once. What is typed and cannot be read yet stays as it was typed. */
export interface Draft {
  readonly name: string;
  readonly role: string;
  readonly title: string | null;
  readonly icon: string | null;
  readonly reportsTo: string | null;
  readonly capabilities: string | null;
  readonly budgetMonthlyCents: number | string;
  readonly permissions: Agent["permissions"];
  readonly runtimeConfig: JsonObject;
  readonly adapterType: string;
  readonly adapterConfig: JsonObject;
  readonly instructionsBundle: Agent["instructionsBundle"];
}

/** An agent as it is, to be changed. Pure. */
export function draftOf(agent: Agent): Draft {
  const { name, role, title, icon, reportsTo, capabilities, budgetMonthlyCents } = agent;
  const { permissions, runtimeConfig, adapterType, adapterConfig, instructionsBundle } = agent;
  const who = { name, role, title, icon, reportsTo, capabilities, budgetMonthlyCents, permissions };
  return { ...who, runtimeConfig: runtimeConfig as JsonObject, adapterType, adapterConfig, instructionsBundle };
}

/** A place in a draft. File names and settings may hold dots, so it is a list. */
type Path = readonly string[];
interface Leaf {
  readonly path: Path;
  readonly value: Json;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const keyOf = (path: Path): string => JSON.stringify(path);

/** An entry of `env` is one thing: parts of two of them make none. */
const isWhole = (path: Path): boolean => path.length === 3 && path[0] === "adapterConfig" && path[1] === "env";

function leavesOf(value: Json | undefined, path: Path = []): Leaf[] {
  if (value === undefined || value === null) return [];
  if (!isObject(value) || isWhole(path)) return [{ path, value }];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

const leafMap = (draft: Draft): ReadonlyMap<string, Leaf> =>
  new Map(leavesOf(draft as unknown as JsonObject).map((leaf) => [keyOf(leaf.path), leaf]));

interface Changed {
  readonly path: Path;
  readonly before: Json | null;
  readonly after: Json | null;
}

function changesBetween(before: Draft, after: Draft): Changed[] {
  const [old, fresh] = [leafMap(before), leafMap(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key)?.value ?? null, fresh.get(key)?.value ?? null];
    return isSame(was, is) ? [] : [{ path: JSON.parse(key) as Path, before: was, after: is }];
  });
}

const isText = ([first, second]: Path): boolean =>
  (first === "instructionsBundle" && second === "files") || (first === "adapterConfig" && second === "promptTemplate");

/** How two drafts differ, for people to read: values, and texts line by line. Pure. */
export function draftDifferences(before: Draft, after: Draft): { values: Difference[]; texts: TextDifference[] } {
  const changes = changesBetween(before, after).map((change) => ({ ...change, name: change.path.join(".") }));
  return {
    values: changes.map(({ name, before: was, after: is }) => ({ path: name, before: was, after: is })),
    texts: changes
      .filter(({ path }) => isText(path))
      .map(({ name, before: was, after: is }) => ({
        path: name,
        previousPath: null,
        unified: lineDifference(String(was ?? ""), String(is ?? "")),
        isWhole: false,
      })),
  };
}

/** What to merge into one value so that it becomes the other (RFC 7396). Pure. */
export function mergePatchBetween(before: JsonObject, after: JsonObject): JsonObject {
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const changed = Object.entries(after).filter(([name, value]) => !isSame(before[name], value));
  return Object.fromEntries([
    ...removed.map((name) => [name, null] as const),
    ...changed.map(([name, value]) => {
      const was = before[name];
      return [name, isObject(was) && isObject(value) ? mergePatchBetween(was, value) : value] as const;
    }),
  ]);
}

/** What is sent to make an agent what the draft says; what did not change is not named. Pure. */
export function changeBetween(before: Draft, after: Draft): AgentChange {
  const fields = Object.entries(after).filter(([name, value]) => !isSame(before[name as keyof Draft], value));
  const sent = fields.map(([name, value]) => {
    if (name === "runtimeConfig") return [name, mergePatchBetween(before.runtimeConfig, after.runtimeConfig)];
    const merges = name === "adapterConfig" && before.adapterType === after.adapterType;
    return [name, merges ? mergePatchBetween(before.adapterConfig, after.adapterConfig) : value];
  });
  // What could not be read is refused by the service, in its own words.
  return Object.fromEntries(sent) as AgentChange;
}

/** A place that two have changed since, each in their own way. */
export interface Conflict {
  readonly key: string;
  readonly name: string;
  readonly before: Json | null;
  readonly theirs: Json | null;
  readonly mine: Json | null;
}

/** What others changed since `before`, and where that meets what was typed. Pure. */
export function conflictsBetween(
  before: Draft,
  theirs: Draft,
  mine: Draft,
): { readonly meanwhile: Difference[]; readonly conflicts: Conflict[] } {
  const own = new Map(changesBetween(before, mine).map((change) => [keyOf(change.path), change]));
  const others = changesBetween(before, theirs);
  const conflicts = others.flatMap(({ path, before: was, after }) => {
    const typed = own.get(keyOf(path));
    if (typed === undefined || isSame(typed.after, after)) return [];
    return [{ key: keyOf(path), name: path.join("."), before: was, theirs: after, mine: typed.after }];
  });
  const meanwhile = others.map(({ path, before: was, after }) => ({ path: path.join("."), before: was, after }));
  return { meanwhile, conflicts };
}

/** What was typed, on top of what is there now; of the named conflicts, what is there stays. Pure. */
export function rebased(drafts: Record<"before" | "theirs" | "mine", Draft>, kept: ReadonlySet<string>): Draft {
  const typed = changesBetween(drafts.before, drafts.mine).filter(({ path }) => !kept.has(keyOf(path)));
  const { theirs } = drafts;
  const merged = typed.reduce(
    (draft, { path, after }) => withValue(draft, path, after),
    theirs as unknown as JsonObject,
  );
  const draft = merged as unknown as Draft;
  const isEmpty = Object.keys(draft.instructionsBundle?.files ?? {}).length === 0;
  return isEmpty ? { ...draft, instructionsBundle: null } : draft;
}

const nullable = new Set(["title", "icon", "reportsTo", "capabilities", "instructionsBundle"]);

function withValue(into: JsonObject, [name = "", ...rest]: Path, value: Json | null): JsonObject {
  if (rest.length > 0) {
    const member = into[name];
    return { ...into, [name]: withValue(isObject(member) ? member : {}, rest, value) };
  }
  if (value !== null || nullable.has(name)) return { ...into, [name]: value };
  const { [name]: _, ...others } = into;
  return others;
}
