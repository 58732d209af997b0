import type { AdapterOrder } from "@roster/adapter";
import { guarantees, type SampleLine } from "@roster/adapter/conformance";
import { describe, expect, it } from "vitest";
import { findAdapter } from "../index.ts";
import { processAdapter } from "./index.ts";
import { processSpec } from "./spec.ts";

const line = (value: unknown): SampleLine => ({ stream: "stdout", text: JSON.stringify(value) });
const sample: readonly SampleLine[] = [
  { stream: "stdout", text: "starting" },
  line({ type: "session", id: "s-1" }),
  line({ type: "message", text: "I look at the list." }),
  { stream: "stderr", text: '{"type":"message","text":"not here"}' },
  line({ type: "tool_call", id: "1", name: "fetch", input: { path: "/api" } }),
  line({ type: "tool_result", id: "1", output: "3 issues" }),
  line({ type: "usage", model: "small", inputTokens: 10, outputTokens: 2, costUsd: 0.01 }),
  line({ type: "output", text: "words" }),
  line({ type: "result", text: "done" }),
  line({ type: "unknown", text: "kept" }),
];

describe("process keeps what every adapter guarantees:", () => {
  const settings = [
    { command: "echo $1", args: ["x"], shell: true, stdin: "prompt" },
    { command: "./run", stdin: "none" },
  ];
  for (const { name, verify } of guarantees({ adapter: processAdapter, spec: processSpec, sample, settings })) {
    it(name, verify);
  }
});

function order(settings: Record<string, unknown>): AdapterOrder {
  const ids = { runId: "r", companyId: "c", agentId: "a" };
  const files = { cwd: "/", ownFolder: "/own", instructionsFile: null, skillsFolder: null };
  const rest = { ...files, service: { SERVICE_API_KEY: "key" }, environment: {}, session: null, capMicros: null };
  return { settings: { command: "run", ...settings }, prompt: "Work.", ...ids, ...rest };
}

function events(settings: Record<string, unknown>, lines: readonly SampleLine[]) {
  const translator = processAdapter.translator(order(settings));
  return lines.map(({ stream, text }) => translator.line(stream, text));
}

it("is found by its type, and a type without a door is not", () => {
  expect(findAdapter("process")).toBe(processAdapter);
  expect(findAdapter("nothing_local")).toBeNull();
});

it("command and arguments are what the settings say; a command line goes to the shell with the arguments after it", () => {
  expect(processAdapter.program(order({ args: ["a b", "$x"] }))).toMatchObject({ command: "run", args: ["a b", "$x"] });
  expect(processAdapter.program(order({ command: "echo $1", args: ["a b"], shell: true }))).toMatchObject({
    command: "/bin/sh",
    args: ["-c", "echo $1", "/bin/sh", "a b"],
  });
});

it("standard input is the prompt, the order as one line of JSON, or nothing", () => {
  const stdin = (how: string) => processAdapter.program(order({ stdin: how })).stdin;
  expect(stdin("prompt")).toBe("Work.");
  expect(stdin("none")).toBeNull();
  expect(stdin("order")).toMatch(/^[^\n]*\n$/);
  expect(JSON.parse(stdin("order") ?? "")).toEqual({
    type: "run.start",
    runId: "r",
    companyId: "c",
    agentId: "a",
    prompt: "Work.",
    environment: { SERVICE_API_KEY: "key" },
    session: null,
  });
});

it("lines of JSON with a known type become events, all others stay output", () => {
  const kinds = events({}, sample).map((made) => made?.map(({ kind }) => kind) ?? null);
  expect(kinds).toEqual([
    null,
    ["session"],
    ["message"],
    null,
    ["tool_call"],
    ["tool_result"],
    ["usage"],
    ["output"],
    ["result"],
    null,
  ]);
});

it("a known type with other data than it has stays output", () => {
  const wrong = [
    { type: "message" },
    { type: "usage", inputTokens: -1 },
    { type: "session", id: "" },
    { type: "output" },
  ];
  expect(events({}, wrong.map(line))).toEqual([null, null, null, null]);
});

it("usage that names no model is booked under that of the settings", () => {
  const usage = [line({ type: "usage", inputTokens: 5 }), line({ type: "usage", model: "own" })];
  expect(events({ model: "set" }, usage)).toEqual([
    [{ kind: "usage", data: { inputTokens: 5, cachedInputTokens: 0, outputTokens: 0, model: "set" } }],
    [{ kind: "usage", data: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, model: "own" } }],
  ]);
});

it("a cost in dollars becomes one in millionths", () => {
  const [made] = events({}, [line({ type: "usage", costUsd: 0.0123456 })]);
  expect(made?.[0]).toEqual({
    kind: "usage",
    data: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costMicros: 12_346 },
  });
});

it("settings that the spec refuses are a sentence that says where", () => {
  expect(() => processAdapter.program(order({ args: "x" }))).toThrow(/^The setting args is wrong: .*\.$/);
});
