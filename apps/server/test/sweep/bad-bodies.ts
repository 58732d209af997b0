import { type Expected, refused } from "./answer-check.ts";
import type { BadInput, Ground } from "./bad-input.ts";
import type { Input } from "./input.ts";

const mebibyte = 1_048_576;
const tooDeep = 100;

/** Bodies that are wrong as a whole: no JSON, JSON of another shape, another type of content, too large. */
export function badBodies({ named: { operation }, good }: Ground): BadInput[] {
  if (operation.method === "GET") return [];
  const large: Input = { announcedBytes: (operation.bodyLimitBytes ?? mebibyte) + 1 };
  const tooLarge: BadInput = {
    label: "a body that is too large",
    input: large,
    expected: refused("payload_too_large"),
    found: "wire",
  };
  if (operation.body === undefined) return [tooLarge];
  const text = JSON.stringify(good.body);
  return [tooLarge, ...malformed(text), ...ofAnotherShape(), ...ofAnotherContentType(operation.method, text)];
}

function malformed(text: string): BadInput[] {
  const bodies: readonly (readonly [string, string | Buffer])[] = [
    ["cut off", text.slice(0, -1)],
    ["followed by more", `${text}}`],
    ["a bare word", "name"],
    ["with single quotes", "{'name': 'x'}"],
    ["with a raw NUL", `${text.slice(0, -1)}\u0000}`],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ];
  return bodies.map(([what, rawBody]) => ({
    label: `malformed JSON, ${what}`,
    input: { rawBody },
    expected: refused("malformed_json"),
  }));
}

function ofAnotherShape(): BadInput[] {
  const nested = `${'{"a":'.repeat(tooDeep)}1${"}".repeat(tooDeep)}`;
  const bodies: readonly (readonly [string, string])[] = [
    ["null", "null"],
    ["an array", "[]"],
    ["a text", '"text"'],
    ["a number", "7"],
    ["nested too deep", nested],
    ["arrays nested too deep", "[".repeat(tooDeep) + "]".repeat(tooDeep)],
    ["with __proto__", '{"__proto__":{"name":"x"}}'],
    ["with a field named like a method", '{"constructor":{"name":"x"}}'],
    ["with a NUL in a name", '{"na\\u0000me":1}'],
  ];
  return bodies.map(([what, rawBody]) => ({
    label: `a body that is ${what}`,
    input: { rawBody },
    expected: refused("invalid_request"),
  }));
}

function ofAnotherContentType(method: string, rawBody: string): BadInput[] {
  const types: readonly (readonly [string, Expected])[] = [
    ["text/plain", refused("unsupported_media_type")],
    ["application/x-www-form-urlencoded", refused("unsupported_media_type")],
    ["multipart/form-data; boundary=x", refused("unsupported_media_type")],
    ["application/xml", refused("unsupported_media_type")],
    ["", refused("unsupported_media_type")],
    ["no type at all", refused("unsupported_media_type")],
    ...(method === "PATCH" ? [] : [["application/merge-patch+json", refused("unsupported_media_type")] as const]),
  ];
  return types.map(([type, expected]) => ({
    label: `the content type "${type}"`,
    input: { rawBody, headers: { "content-type": type } },
    expected,
    // What is no type at all is refused before the route is reached.
    ...(type.includes(" at ") && { found: "wire" as const }),
  }));
}
