import { manifestAdapter } from "../command-line/manifest-adapter.ts";
import { geminiLocalSpec } from "./spec.ts";

/** Gemini CLI as an agent. */
export const geminiLocalAdapter = manifestAdapter({
  spec: geminiLocalSpec,
  login: {
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
    files: [".gemini/oauth_creds.json"],
  },
  arguments: [
    { texts: ["--output-format", "stream-json", "--skip-trust"] },
    { when: "approvalMode", texts: ["--approval-mode", "{approvalMode}"] },
    { when: "model", texts: ["--model", "{model}"] },
    { when: "instructionsFolder", texts: ["--include-directories", "{instructionsFolder}"] },
    { when: "skillsFolder", texts: ["--include-directories", "{skillsFolder}"] },
    { when: "session", texts: ["--resume", "{session}"] },
  ],
  environment: {},
  folder: null,
  stream: {
    types: ["init", "message", "tool_use", "tool_result", "error", "result"],
    rules: [
      { when: { type: "init" }, make: "session", fields: { id: "session_id" } },
      { when: { type: "message", role: "assistant" }, make: "message", fields: { text: "content" }, joins: true },
      {
        when: { type: "tool_use" },
        make: "tool_call",
        fields: { id: "tool_id", name: "tool_name", input: "parameters" },
      },
      {
        when: { type: "tool_result" },
        make: "tool_result",
        fields: { id: "tool_id", output: "output", isError: { at: "status", is: "error" } },
      },
      {
        when: { type: "error" },
        make: "message",
        fields: { role: { always: "system" }, text: "message" },
      },
      {
        when: { type: "result" },
        each: "stats.models",
        make: "usage",
        fields: {
          provider: { always: "google" },
          model: { entryName: true },
          inputTokens: { of: "input_tokens", minus: "cached" },
          cachedInputTokens: { sum: ["cached"] },
          // What it thought is in the total only.
          outputTokens: { of: "total_tokens", minus: "input_tokens" },
        },
      },
      {
        when: { type: "result" },
        make: "result",
        fields: { isError: { at: "status", is: "error" }, text: "error.message" },
      },
    ],
    troubles: [{ when: { type: "result", status: "error" }, words: "error.message" }],
  },
});
