import type { Adapter } from "@roster/adapter";
import { claudeLocalAdapter } from "./claude-local/index.ts";
import { codexLocalAdapter } from "./codex-local/index.ts";
import { geminiLocalAdapter } from "./gemini-local/index.ts";
import { httpAdapter } from "./http/index.ts";
import { opencodeLocalAdapter } from "./opencode-local/index.ts";
import { processAdapter } from "./process/index.ts";

const adapters: readonly Adapter[] = [
  claudeLocalAdapter,
  codexLocalAdapter,
  geminiLocalAdapter,
  opencodeLocalAdapter,
  processAdapter,
  httpAdapter,
];

/** The runner's side of the adapter of this type; null when this runner cannot execute such runs. */
export function findAdapter(type: string): Adapter | null {
  return adapters.find((adapter) => adapter.type === type) ?? null;
}
