import { join } from "node:path/posix";
import type { AdapterOrder, Placed, Program } from "@roster/adapter";
import type { z } from "zod";
import { prefacedPrompt } from "../command-line/preface.ts";
import type { codexLocalSpec } from "./spec.ts";

/** The settings of the adapter, defaults applied. */
export type CodexSettings = z.output<typeof codexLocalSpec.settings>;

const homeVariable = "CODEX_HOME";

/** Codex, working on its own. Pure. */
export function program(order: AdapterOrder<CodexSettings>): Program {
  const { settings, prompt, environment, ownFolder } = order;
  const start = { command: settings.command, args: ownArguments(order) };
  const home = environment["HOME"];
  if (Object.hasOwn(environment, homeVariable) || home === undefined) {
    return { ...start, stdin: prefacedPrompt(order), env: {} };
  }
  return { ...start, stdin: prompt, env: { [homeVariable]: join(ownFolder, "codex") }, places: placesOf(order, home) };
}

/** A folder of its own for AGENTS.md and skills; login, configuration and conversations stay the account's. */
function placesOf({ instructionsFile, skillsFolder }: AdapterOrder<CodexSettings>, home: string): Placed[] {
  const linked = (name: string): Placed => ({ path: `codex/${name}`, to: join(home, ".codex", name) });
  return [
    ...["auth.json", "config.toml", ".credentials.json"].map(linked),
    { ...linked("sessions"), isFolder: true },
    ...(instructionsFile === null ? [] : [{ path: "codex/AGENTS.md", to: instructionsFile }]),
    ...(skillsFolder === null ? [] : [{ path: "codex/skills", to: skillsFolder }]),
  ];
}

/** What belongs to every start stands before `resume`, which takes fewer options itself. */
function ownArguments({ settings, session }: AdapterOrder<CodexSettings>): string[] {
  const { model, modelReasoningEffort, search, sandboxMode, sandboxNetworkAccess } = settings;
  const sessionId = session?.["id"];
  return [
    ...["exec", "--json", "--skip-git-repo-check"],
    ...(settings.dangerouslyBypassApprovalsAndSandbox ? ["--dangerously-bypass-approvals-and-sandbox"] : []),
    ...(model === undefined ? [] : ["--model", model]),
    ...configured("model_reasoning_effort", modelReasoningEffort),
    ...configured("web_search", search ? "live" : undefined),
    ...configured("sandbox_mode", sandboxMode),
    ...configured("sandbox_workspace_write.network_access", sandboxNetworkAccess),
    ...settings.extraArgs,
    ...(typeof sessionId === "string" ? ["resume", sessionId] : []),
    "-",
  ];
}

/** Values are TOML, in which a text is written as in JSON. */
const configured = (key: string, value: string | boolean | undefined): string[] =>
  value === undefined ? [] : ["-c", `${key}=${JSON.stringify(value)}`];
