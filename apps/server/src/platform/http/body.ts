import type { Operation } from "@roster/contract";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../refusal.ts";

const deepest = 64;

/** The JSON value of a request's body; an empty body counts as `{}`. */
export function bodyOf(operation: Operation, request: FastifyRequest): unknown {
  const text = typeof request.body === "string" ? request.body : "";
  if (text.trim() === "") return {};
  requireJson(operation, request.headers["content-type"]);
  if (tooDeep(text)) throw new Refusal("invalid_request", `The body is nested deeper than ${deepest} levels.`);
  const value = parsed(text);
  if (suspicious.test(text)) refuseUnstorable(value, "");
  return value;
}

function requireJson(operation: Operation, contentType = ""): void {
  const type = contentType.split(";")[0]?.trim().toLowerCase();
  if (type === "application/json") return;
  if (type === "application/merge-patch+json" && operation.method === "PATCH") return;
  throw new Refusal(
    "unsupported_media_type",
    "The body must be JSON; send the header Content-Type: application/json.",
    {
      fix: { header: { "content-type": "application/json" } },
    },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the text, which may hold anything.
    const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    throw new Refusal("malformed_json", `The body is not JSON${position ? ` (look at character ${position})` : ""}.`);
  }
}

/** Counts brackets outside strings; a parser would have to go down before it could refuse. */
function tooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (quoted) {
      if (character === 0x5c) at += 1;
      else if (character === 0x22) quoted = false;
    } else if (character === 0x22) quoted = true;
    else if (character === 0x7b || character === 0x5b) depth += 1;
    else if (character === 0x7d || character === 0x5d) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

const suspicious = /\\u(?:0000|005[fF]|[dD][89a-fA-F])|__proto__/;

/** PostgreSQL cannot store NUL or half a surrogate pair, and `__proto__` is no field of anything. */
function refuseUnstorable(value: unknown, path: string): void {
  if (typeof value === "string") refuseText(value, path);
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const at = path === "" ? key : `${path}.${key}`;
    refuseText(key, at);
    if (key === "__proto__") throw unstorable(at, "may not be named __proto__");
    refuseUnstorable(member, at);
  }
}

/** True for a text that the database can keep. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** Refuses a text that the database could not keep. */
export function refuseText(text: string, path: string): void {
  if (text.includes("\0")) throw unstorable(path, "holds the character U+0000");
  if (!text.isWellFormed()) throw unstorable(path, "holds half a surrogate pair");
}

function unstorable(path: string, message: string): Refusal {
  return new Refusal("invalid_request", `"${path}" ${message}.`, { details: [{ path, message }] });
}
