import { type Operation, type RefusalCode, refusalBody, refusalCodes, refusalStatus } from "@roster/contract";
import { type Schema, schemaOf, variantsOf } from "./input-schema.ts";
import type { Answer } from "./wire.ts";

/** What a call should come to. */
export type Expected =
  | {
      readonly kind: "accepted";
      /** A list without items. */
      readonly empty?: true;
    }
  /** Accepted, or refused for a reason that lies in the state of things. */
  | { readonly kind: "decided" }
  /** Anything the contract documents. */
  | { readonly kind: "documented" }
  | {
      readonly kind: "refused";
      readonly codes: readonly RefusalCode[];
      /** Dotted path that the details must name, itself or something around or inside it. */
      readonly at?: string;
      /** What the details must propose for it. */
      readonly nearest?: string;
    };

/** Refused with one of these codes. */
export const refused = (...codes: RefusalCode[]): Expected => ({ kind: "refused", codes });

const successStatus = {
  record: 200,
  created: 201,
  page: 200,
  nothing: 204,
  text: 200,
  accepted: 202,
  bytes: 200,
  lines: 200,
} as const;

/** True when the answer is a success. */
export const isAccepted = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Everything that is wrong with an answer, as sentences; empty for a good one. */
export function faultsOf(operation: Operation, answer: Answer, expected: Expected): string[] {
  const faults = [...headerFaults(answer)];
  if (isAccepted(answer)) {
    if (expected.kind === "refused") faults.push(`was accepted, not refused with ${expected.codes.join(" or ")}`);
    const nothing = operation.answer.kind === "lines" ? "" : "[]";
    if (expected.kind === "accepted" && expected.empty && answer.text !== nothing) faults.push("is no empty list");
    return [...faults, ...successFaults(operation, answer)];
  }
  return [...faults, ...refusalFaults(operation, answer, expected)];
}

function headerFaults({ headers, requestId }: Answer): string[] {
  const faults: string[] = [];
  if (headers["x-request-id"] !== requestId) faults.push(`x-request-id is ${headers["x-request-id"]}`);
  if (!headers["service-version"]) faults.push("has no service-version header");
  return faults;
}

function successFaults(operation: Operation, answer: Answer): string[] {
  const { kind } = operation.answer;
  const isRepeat = "repeatable" in operation.answer && operation.answer.repeatable === true && answer.status === 200;
  if (answer.status !== successStatus[kind] && !isRepeat)
    return [`status ${answer.status} instead of ${successStatus[kind]}`];
  if (kind === "nothing") return answer.text === "" ? [] : ["has a body with status 204"];
  const named = "type" in operation.answer ? operation.answer.type : contentTypes[kind];
  const type = `${named ?? "application/json"}; charset=utf-8`;
  if (answer.headers["content-type"] !== type) return [`content-type is ${answer.headers["content-type"]}`];
  return kind === "text" || kind === "bytes" ? [] : jsonFaults(operation, answer);
}

const contentTypes: Readonly<Record<string, string>> = {
  text: "text/plain",
  bytes: "text/plain",
  lines: "application/x-ndjson",
};

function jsonFaults({ answer: declared }: Operation, answer: Answer): string[] {
  if (!("schema" in declared)) return [];
  const body = declared.kind === "lines" ? parsedLines(answer.text) : parsed(answer.text);
  if (body === undefined) return [`is not JSON: ${answer.text.slice(0, 100)}`];
  if (declared.kind === "page" && !Array.isArray(body)) return ["is not an array"];
  const faults: string[] = [];
  for (const item of declared.kind === "page" || declared.kind === "lines" ? (body as unknown[]) : [body]) {
    const result = declared.schema.safeParse(item);
    if (!result.success) faults.push(`breaks its schema: ${result.error.message}`);
    const extra = undeclaredFields(schemaOf(declared.schema, "output"), item, "");
    if (extra.length > 0) faults.push(`shows fields the contract does not name: ${extra.join(", ")}`);
  }
  const isVersioned = "versioned" in declared && declared.versioned === true;
  if (isVersioned && !/^"\d+"$/.test(answer.headers.etag ?? "")) faults.push(`ETag is ${answer.headers.etag}`);
  if (declared.kind === "created" && !answer.headers.location) faults.push("has no Location");
  return faults;
}

/** What an answer holds beyond its schema: a leak, or a field that nobody can rely on. */
function undeclaredFields(schema: Schema, value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const variants = variantsOf(schema);
  if (variants.length !== 1) return [];
  const { properties, additionalProperties, items } = variants[0] ?? {};
  if (Array.isArray(value)) return value.flatMap((item) => undeclaredFields(items ?? {}, item, path));
  if (properties === undefined) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === "" ? name : `${path}.${name}`;
    const declared = properties[name];
    if (declared !== undefined) return undeclaredFields(declared, member, at);
    return additionalProperties === false ? [at] : [];
  });
}

function refusalFaults(operation: Operation, answer: Answer, expected: Expected): string[] {
  const body = refusalIn(operation, answer);
  if (typeof body === "string") return [body];
  const faults: string[] = [];
  const said = `${answer.status} ${body.code} (${body.error})`;
  if (refusalStatus[body.code] !== answer.status) faults.push(`status ${answer.status} does not go with ${body.code}`);
  if (answer.status === 409 && body.details.length === 0) faults.push(`${said} does not say what the state is`);
  if (body.requestId !== answer.requestId) faults.push(`the body says requestId ${body.requestId}`);
  if (body.code === "internal") faults.push(`broke the server: ${said}`);
  else if (!refusalCodes(operation).includes(body.code)) faults.push(`undocumented refusal ${said}`);
  if (!isExpected(expected, body.code)) faults.push(`${said} instead of ${wordsOf(expected)}`);
  else if (expected.kind === "refused") faults.push(...detailFaults(expected, body.details, said));
  return faults;
}

interface RefusalSeen {
  readonly code: RefusalCode;
  readonly error: string;
  readonly requestId: string;
  readonly details: readonly { path: string; nearest?: string | undefined; allowed?: string[] | undefined }[];
}

/** The refusal in an answer; a sentence where there is none of the one shape. Under /llms/ it is text. */
function refusalIn({ path }: Operation, { text, headers, requestId }: Answer): RefusalSeen | string {
  if (path.startsWith("/llms") && headers["content-type"]?.startsWith("text/plain")) {
    const code = Object.keys(refusalStatus).find((known) => new RegExp(`\\b${known}\\b`).test(text));
    if (code === undefined) return `the text names no code: ${text.slice(0, 200)}`;
    const named = text.includes(requestId) ? requestId : "nowhere";
    return { code: code as RefusalCode, error: text, requestId: named, details: [] };
  }
  const result = refusalBody.strict().safeParse(parsed(text));
  if (!result.success) return `is no refusal of the one shape: ${text.slice(0, 300)}`;
  if (headers["content-type"] !== "application/json; charset=utf-8") return `content-type ${headers["content-type"]}`;
  return result.data;
}

const wordsOf = (expected: Expected): string =>
  expected.kind === "refused" ? expected.codes.join(" or ") : expected.kind;

function isExpected(expected: Expected, code: RefusalCode): boolean {
  if (expected.kind === "documented") return true;
  if (expected.kind === "refused") return expected.codes.includes(code);
  if (expected.kind === "accepted") return false;
  return code === "forbidden" || refusalStatus[code] === 409 || refusalStatus[code] === 422;
}

function detailFaults(
  { at, nearest }: Expected & { kind: "refused" },
  details: RefusalSeen["details"],
  said: string,
): string[] {
  if (at === undefined) return [];
  const inside = (outer: string, inner: string): boolean => inner === outer || inner.startsWith(`${outer}.`);
  const named = details.filter(({ path }) => inside(path, at) || inside(at, path));
  if (named.length === 0) return [`${said} does not name "${at}" in its details: ${JSON.stringify(details)}`];
  if (nearest === undefined || named.some((detail) => detail.nearest === nearest)) return [];
  return [`${said} does not propose "${nearest}" for "${at}": ${JSON.stringify(named)}`];
}

/** The values of a text of which each line is JSON and ends as one; undefined where one is not. */
export function parsedLines(text: string): unknown[] | undefined {
  const lines = text.split("\n");
  const isEnded = lines.pop() === "";
  const values = lines.map(parsed);
  return isEnded && !values.includes(undefined) ? values : undefined;
}

/** A text as JSON; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
