import { manifestAdapter } from "../command-line/manifest-adapter.ts";
import { opencodeLocalSpec } from "./spec.ts";

/** OpenCode as an agent. */
export const opencodeLocalAdapter = manifestAdapter({
  spec: opencodeLocalSpec,
  login: {
    variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
    files: [".local/share/opencode/auth.json"],
  },
  arguments: [
    { texts: ["run", "--format", "json"] },
    { when: "approveAll", texts: ["--auto"] },
    { when: "model", texts: ["--model", "{model}"] },
    { when: "agent", texts: ["--agent", "{agent}"] },
    { when: "variant", texts: ["--variant", "{variant}"] },
    { when: "session", texts: ["--session", "{session}"] },
  ],
  environment: { OPENCODE_DISABLE_AUTOUPDATE: "true" },
  folder: {
    variable: "OPENCODE_CONFIG_DIR",
    places: [
      { when: "instructionsFile", path: "opencode.json", json: { instructions: ["{instructionsFile}"] } },
      { when: "skillsFolder", path: "skills", to: "{skillsFolder}" },
    ],
  },
  stream: {
    types: ["step_start", "step_finish", "text", "reasoning", "tool_use", "error"],
    rules: [
      { when: { type: "step_start" }, make: "session", fields: { id: "sessionID" } },
      { when: { type: "error" }, make: "session", fields: { id: "sessionID" } },
      { when: { type: "text" }, make: "message", fields: { text: "part.text" } },
      {
        when: { type: "tool_use" },
        make: "tool_call",
        fields: { id: "part.callID", name: "part.tool", input: "part.state.input" },
      },
      {
        when: { type: "tool_use" },
        make: "tool_result",
        fields: {
          id: "part.callID",
          output: { firstOf: ["part.state.output", "part.state.error"] },
          isError: { at: "part.state.status", is: "error" },
        },
      },
      {
        when: { type: "step_finish" },
        make: "usage",
        fields: {
          provider: { value: "modelProvider" },
          model: { value: "modelName" },
          inputTokens: { sum: ["part.tokens.input", "part.tokens.cache.write"] },
          cachedInputTokens: { sum: ["part.tokens.cache.read"] },
          outputTokens: { sum: ["part.tokens.output", "part.tokens.reasoning"] },
          costUsd: { positive: "part.cost" },
        },
      },
      {
        when: { type: "error" },
        make: "result",
        fields: { isError: { at: "type", is: "error" }, text: "error.data.message" },
      },
    ],
    troubles: [{ when: { type: "error" }, words: "error.data.message", status: "error.data.statusCode" }],
  },
});
