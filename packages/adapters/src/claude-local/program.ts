import { dirname } from "node:path/posix";
import type { AdapterOrder, Placed, Program } from "@roster/adapter";
import type { z } from "zod";
import type { claudeLocalSpec } from "./spec.ts";

/** The settings of the adapter, defaults applied. */
export type ClaudeSettings = z.output<typeof claudeLocalSpec.settings>;

const microsPerUsd = 1_000_000;

/** Claude Code, working on its own. Pure. */
export function program(order: AdapterOrder<ClaudeSettings>): Program {
  const { settings, skillsFolder, prompt } = order;
  const quiet = { DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
  // Skills are looked for in added folders as in the project's own.
  const skills: Placed[] = skillsFolder === null ? [] : [{ path: ".claude/skills", to: skillsFolder }];
  return {
    command: settings.command,
    args: [...ownArguments(order), ...settings.extraArgs],
    stdin: prompt,
    env: settings.dangerouslySkipPermissions ? { ...quiet, IS_SANDBOX: "1" } : quiet,
    places: skills,
  };
}

/** Flags that take several values are followed by a flag, so that they do not take what comes after. */
function ownArguments({ settings, ...order }: AdapterOrder<ClaudeSettings>): string[] {
  const { instructionsFile, skillsFolder, ownFolder, capMicros, session } = order;
  const sessionId = session?.["id"];
  const folders = [
    ...(skillsFolder === null ? [] : [ownFolder]),
    ...(instructionsFile === null ? [] : [dirname(instructionsFile)]),
  ];
  return [
    ...list("--allowedTools", settings.allowedTools),
    ...list("--disallowedTools", settings.disallowedTools),
    ...list("--add-dir", folders),
    ...["-p", "--verbose", "--output-format", "stream-json"],
    ...option("--model", settings.model),
    ...option("--effort", settings.effort),
    ...option("--max-turns", settings.maxTurnsPerRun),
    ...option("--max-budget-usd", capMicros === null ? undefined : (capMicros / microsPerUsd).toFixed(6)),
    ...option("--append-system-prompt-file", instructionsFile ?? undefined),
    ...option("--resume", typeof sessionId === "string" ? sessionId : undefined),
    ...(settings.dangerouslySkipPermissions
      ? ["--dangerously-skip-permissions"]
      : option("--permission-mode", settings.permissionMode)),
  ];
}

const list = (flag: string, values: readonly string[]): string[] => (values.length === 0 ? [] : [flag, ...values]);

const option = (flag: string, value: string | number | undefined): string[] =>
  value === undefined ? [] : [flag, String(value)];
