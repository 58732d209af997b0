import { openDoor } from "@roster/adapter";
import { checkCommandLine } from "../command-line/check.ts";
import { translatorOf } from "../command-line/translator.ts";
import { program } from "./program.ts";
import { ClaudeReader } from "./reader.ts";
import { claudeLocalSpec } from "./spec.ts";

const login = {
  variables: [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
    "CLAUDE_CONFIG_DIR",
  ],
  // On macOS the login is in the keychain; this file says at least that somebody has used the program.
  files: [".claude/.credentials.json", ...(process.platform === "darwin" ? [".claude.json"] : [])],
};

/** Claude Code as an agent. */
export const claudeLocalAdapter = openDoor(claudeLocalSpec, {
  check: ({ command, cwd }, host) => checkCommandLine({ title: claudeLocalSpec.title, command, cwd, login }, host),
  program,
  translator: (order) => translatorOf(claudeLocalSpec.title, order, new ClaudeReader()),
});
