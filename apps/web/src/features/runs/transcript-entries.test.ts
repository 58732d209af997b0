import type { RunEvent } from "@roster/client";
import { expect, test } from "vitest";
import { entriesOf } from "./transcript-entries.ts";

const told = (...events: readonly Partial<RunEvent>[]): RunEvent[] =>
  events.map((event, index) => ({
    seq: index + 1,
    kind: "message",
    stream: null,
    text: null,
    data: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    ...event,
  }));

test("a tool's result stands with its call, also when others were called meanwhile", () => {
  const entries = entriesOf(
    told(
      { kind: "tool_call", data: { id: "a", name: "Read", input: { path: "x" } } },
      { kind: "tool_call", data: { id: "b", name: "Bash", input: "ls" } },
      { kind: "tool_result", data: { id: "a", output: "text of x" } },
      { kind: "tool_result", data: { id: "b", output: "no", isError: true } },
    ),
  );
  expect(entries).toMatchObject([
    { kind: "tool", name: "Read", output: "text of x", isError: false },
    { kind: "tool", name: "Bash", input: "ls", output: "no", isError: true },
  ]);
});

test("a result without a call, and a gap, are shown and not lost", () => {
  const entries = entriesOf(told({ kind: "tool_result", data: { output: 3 } }, { kind: "gap" }));
  expect(entries).toMatchObject([
    { kind: "tool", name: "result", output: "3" },
    { kind: "note", text: "Output was left out here." },
  ]);
});

test("output that came in pieces is one, apart from what went to standard error", () => {
  const entries = entriesOf(
    told(
      { kind: "output", stream: "stdout", text: "a" },
      { kind: "output", stream: "stdout", text: "b\n" },
      { kind: "output", stream: "stderr", text: "oh" },
    ),
  );
  expect(entries).toMatchObject([
    { text: "ab\n", isError: false },
    { text: "oh", isError: true },
  ]);
});

test("a result that repeats the last message is said once; usage and sessions are for machines", () => {
  const entries = entriesOf(
    told(
      { data: { text: "Done." } },
      { kind: "usage", data: { inputTokens: 1 } },
      { kind: "session", data: { id: "s" } },
      { kind: "result", data: { text: "Done.\n" } },
    ),
  );
  expect(entries).toEqual([{ kind: "message", seq: 1, text: "Done." }]);
});
