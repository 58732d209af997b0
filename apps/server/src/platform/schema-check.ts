import type { RefusalDetail } from "@roster/contract";
import { closest } from "fastest-levenshtein";
import type { z } from "zod";
import { Refusal } from "./refusal.ts";
import { fieldsOf, memberOf } from "./schema-shape.ts";

type Path = readonly PropertyKey[];

/**
 * The value as the schema makes it, or a refusal that says for every fault where it is, what would be right, and for a
 * misspelt field or choice which one was probably meant. `prefix` is the path of `value` in the request.
 */
export function checked<T extends z.ZodType>(schema: T, value: unknown, prefix = ""): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  // A misspelt field comes first: it is why another one is missing.
  const issues = result.error.issues.toSorted((one, other) => rank(one) - rank(other));
  const details = issues.flatMap((issue) => detailsOf(issue, schema, value, prefix));
  const first = details[0];
  const where = first === undefined || first.path === "" ? "The request" : `"${first.path}"`;
  throw new Refusal("invalid_request", `${where} ${first?.message ?? "is not valid"}.`, { details });
}

const rank = ({ code }: z.core.$ZodIssue): number => (code === "unrecognized_keys" ? 0 : 1);

function detailsOf(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown, prefix: string): RefusalDetail[] {
  const path = dotted(prefix, issue.path);
  if (issue.code === "unrecognized_keys") {
    const known = fieldsAt(schema, issue.path);
    return issue.keys.map((key) => ({
      path: dotted(prefix, [...issue.path, key]),
      message: "is not a field of this",
      ...(known.length > 0 && { allowed: known, nearest: closest(key, known) }),
    }));
  }
  if (issue.code === "invalid_union" && "options" in issue) {
    return [choiceDetail(path, (issue.options ?? []).map(String), valueAt(value, issue.path))];
  }
  if (issue.code === "invalid_value") return [choiceDetail(path, issue.values.map(String), valueAt(value, issue.path))];
  return [{ path, message: sentence(issue) }];
}

/** The detail for a value outside an enumeration. */
export function choiceDetail(path: string, allowed: string[], given: unknown): RefusalDetail {
  const message = given === undefined ? "is required" : `is not one of the ${allowed.length} allowed values`;
  return { path, message, allowed, ...(typeof given === "string" && { nearest: closest(given, allowed) }) };
}

/** What is wrong in words that follow the path; the schemas' own messages are written to do so already. */
function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_big") return `must be ${bound("most", issue.maximum, issue.origin)}`;
  if (issue.code === "too_small") return tooSmall(issue);
  if (issue.code === "invalid_type") return ofAnotherType(issue);
  const [inKey] = issue.code === "invalid_key" ? issue.issues : [];
  if (inKey !== undefined) return `has a name that is not good: it ${sentence(inKey)}`;
  const isUnsaid = issue.code === "invalid_format" && issue.message.startsWith("Invalid ");
  return (isUnsaid ? forms[issue.format] : undefined) ?? issue.message.replace(/^Invalid \w+: /, "");
}

/** What a text must be, by the form that its schema asks for without words of its own. */
const forms: Readonly<Record<string, string>> = {
  uuid: "must be a UUID",
  datetime: "must be a time in UTC, such as 2026-01-31T12:00:00.000Z",
  date: "must be a day, such as 2026-01-31",
  email: "must be an e-mail address",
};

function ofAnotherType({ expected, message }: z.core.$ZodIssueInvalidType): string {
  const type = expected === "int" ? "integer" : expected;
  return message.endsWith("received undefined") ? `is required (${type})` : `must be ${article(type)} ${type}`;
}

const tooSmall = ({ minimum, origin }: z.core.$ZodIssueTooSmall): string =>
  minimum === 1 && units[origin] !== undefined ? "must not be empty" : `must be ${bound("least", minimum, origin)}`;

const units: Readonly<Record<string, string>> = {
  string: "characters",
  array: "entries",
  record: "members",
  file: "bytes",
};

function bound(which: "most" | "least", limit: number | bigint, origin: string): string {
  const unit = units[origin];
  return unit === undefined ? `at ${which} ${limit}` : `at ${which} ${limit} ${unit} long`;
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? "an" : "a");

function dotted(prefix: string, path: Path): string {
  return [prefix, ...path.map(String)].filter((part) => part !== "").join(".");
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

/** The fields of the object schema at a path. */
function fieldsAt(schema: z.ZodType, path: Path): string[] {
  const at = path.reduce<z.ZodType | undefined>((inside, key) => inside && memberOf(inside, String(key)), schema);
  return at === undefined ? [] : fieldsOf(at);
}
