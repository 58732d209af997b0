import { openDoor } from "@roster/adapter";
import { checkCommandLine } from "../command-line/check.ts";
import { translatorOf } from "../command-line/translator.ts";
import { program } from "./program.ts";
import { CodexReader } from "./reader.ts";
import { codexLocalSpec } from "./spec.ts";

const login = { variables: ["CODEX_API_KEY", "OPENAI_API_KEY", "CODEX_HOME"], files: [".codex/auth.json"] };

/** Codex as an agent. */
export const codexLocalAdapter = openDoor(codexLocalSpec, {
  check: ({ command, cwd }, host) => checkCommandLine({ title: codexLocalSpec.title, command, cwd, login }, host),
  program,
  translator: (order) =>
    translatorOf(codexLocalSpec.title, order, new CodexReader(order.settings.model, order.session)),
});
