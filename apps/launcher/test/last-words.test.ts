import { describe, expect, it } from "vitest";
import { lastWords, loggedError } from "../src/last-words.ts";

const uncaught = [
  '{"level":30,"msg":"listening"}',
  "file:///opt/roster/dist/server.js:10",
  "  throw new Error('x');",
  "  ^",
  "",
  "Error: the disk is full",
  "    at Object.<anonymous> (/opt/roster/dist/server.js:10:9) {",
  "  code: 'ENOSPC'",
  "}",
  "",
  "Node.js v20.19.0",
];

describe("the last words of a program", () => {
  it.each([
    { name: "its sentence", lines: ["something before", "Port 3100 is in use."], words: "Port 3100 is in use." },
    { name: "the message of an uncaught error", lines: uncaught, words: "Error: the disk is full" },
    { name: "nothing, when it only kept its log", lines: ['{"level":30,"msg":"listening"}', ""], words: null },
    { name: "not a warning of Node", lines: ["It is so.", "(node:1) Warning: x", "(Use y)"], words: "It is so." },
  ])("are $name", ({ lines, words }) => {
    expect(lastWords(lines)).toBe(words);
  });
});

describe("a line of a log", () => {
  it.each([
    { line: '{"level":50,"msg":"a failed"}', said: "a failed" },
    { line: '{"level":60,"msg":"a failed","err":{"message":"b"}}', said: "a failed: b" },
    { line: '{"level":50,"msg":"b","err":{"message":"b"}}', said: "b" },
    { line: '{"level":40,"msg":"a was slow"}', said: null },
    { line: '{"level":50', said: null },
    { line: "Error: x", said: null },
  ])("$line tells the operator $said", ({ line, said }) => {
    expect(loggedError(line)).toBe(said);
  });
});
