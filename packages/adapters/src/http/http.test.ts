import type { CheckHost } from "@roster/adapter";
import { guarantees, type SampleLine } from "@roster/adapter/conformance";
import { describe, expect, it, test } from "vitest";
import { orderWith } from "../../test/recorded.ts";
import { findAdapter } from "../index.ts";
import { failureOfAnswer, retryAfterSecOf } from "./call/failure.ts";
import { httpAdapter } from "./index.ts";
import { httpSpec } from "./spec.ts";

const line = (value: unknown): SampleLine => ({ stream: "stdout", text: JSON.stringify(value) });
const sample: readonly SampleLine[] = [
  line({ type: "message", role: "system", text: "The receiver has accepted the run." }),
  line({ type: "usage", model: "m", inputTokens: 10, outputTokens: 2, costUsd: 0.01 }),
  line({ type: "session", id: "s-1" }),
  line({ type: "result", text: "done", isError: false }),
  line({ type: "call.failed", code: "rate_limited", message: "Not now.", retryAfterSec: 5 }),
  { stream: "stderr", text: '{"type":"message","text":"not here"}' },
  line({ type: "call.text" }),
  line({ type: "usage", inputTokens: 5 }),
];

describe("http keeps what every adapter guarantees:", () => {
  const settings = [
    { url: "http://127.0.0.1:8080/", headers: { "x-a": "b" }, cwd: "/there", model: "m" },
    { url: "https://agents.example.com", startTimeoutSec: 5, graceSec: 0 },
  ];
  for (const { name, verify } of guarantees({ adapter: httpAdapter, spec: httpSpec, sample, settings })) {
    it(name, verify);
  }
});

const order = (settings: object, environment = {}) =>
  orderWith({ settings: { url: "https://agents.example.com", ...settings }, environment });

test("is found by its type", () => expect(findAdapter("http")).toBe(httpAdapter));

test("what refers to an entry of env is filled in where the program reads it, which is not its arguments", () => {
  const program = httpAdapter.program(
    order({ headers: { Authorization: "Bearer {{ env.T }}" } }, { T: "secret-of-t" }),
  );
  expect(JSON.parse(program.stdin ?? "").headers).toEqual({ authorization: "Bearer secret-of-t" });
  expect(JSON.stringify([program.command, program.args, program.env])).not.toContain("secret-of-t");
  expect(program.isOurs).toBe(true);
});

test.each([
  [{ headers: { "x-a": "{{env.GONE}}" } }, {}, "GONE"],
  [{ headers: { "x-a": "{{env.T}}" } }, { T: "two\nlines" }, "x-a"],
  [{ signingSecretEnv: "KEY" }, { KEY: "whsec_" }, "KEY"],
  [{ signingSecretEnv: "KEY" }, {}, "KEY"],
])("%j with %j is refused in a sentence without the value", (settings, environment, word) => {
  const refused = (): unknown => httpAdapter.program(order(settings, environment));
  expect(refused).toThrow(word);
  expect(refused).not.toThrow("two");
});

test("after the beginning of a text, nothing is an event any more", () => {
  const translator = httpAdapter.translator(order({}));
  const made = sample.map(({ stream, text }) => translator.line(stream, text)?.map(({ kind }) => kind) ?? null);
  expect(made).toEqual([["message"], ["usage"], ["session"], ["result"], [], null, [], null]);
  expect(translator.outcome({ exitCode: 1, signal: null })).toEqual({
    code: "rate_limited",
    message: "Not now.",
    retryAfterSec: 5,
  });
});

test("usage that names no model is booked under that of the settings", () => {
  const translator = httpAdapter.translator(order({ model: "set" }));
  expect(translator.line("stdout", '{"type":"usage","inputTokens":1}')).toMatchObject([{ data: { model: "set" } }]);
});

test("a check says where the address may not be called, and who can open it", async () => {
  const check = (closed: Awaited<ReturnType<CheckHost["whyClosed"]>>) =>
    httpAdapter.check(
      { url: "https://agents.example.com" },
      {
        findCommand: async () => null,
        isFolder: async () => false,
        isFile: async () => false,
        ask: null,
        whyClosed: async () => closed,
        environment: {},
      },
    );
  expect(await check(null)).toEqual([]);
  const [refused] = await check({ isRefused: true, why: "leads to an address that is not public" });
  expect(refused?.message).toBe(
    "The address of the receiver leads to an address that is not public; SERVICE_EGRESS_ALLOW of the runner opens places.",
  );
  const [away] = await check({ isRefused: false, why: "could not be reached (ENOTFOUND)" });
  expect(away?.message).toBe("The address of the receiver could not be reached (ENOTFOUND).");
  expect(
    await httpAdapter.check({ url: "ftp://x" }, { whyClosed: async () => null } as unknown as CheckHost),
  ).toMatchObject([{ severity: "error", message: expect.stringContaining("url") }]);
});

test.each([
  ["12", 12],
  ["Thu, 01 Jan 1970 00:01:30 GMT", 90],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["soon", null],
  ["", null],
])("Retry-After %j is %j", (header, sec) => {
  expect(retryAfterSecOf(header, 0)).toBe(sec);
});

test("200 and 202 are no failures", () => {
  for (const statusCode of [200, 202]) expect(failureOfAnswer({ statusCode, headers: {} }, 0)).toBeNull();
});
