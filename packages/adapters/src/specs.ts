import type { AdapterSpec } from "@roster/adapter";
import { claudeLocalSpec } from "./claude-local/spec.ts";
import { codexLocalSpec } from "./codex-local/spec.ts";
import { geminiLocalSpec } from "./gemini-local/spec.ts";
import { httpSpec } from "./http/spec.ts";
import { opencodeLocalSpec } from "./opencode-local/spec.ts";
import { processSpec } from "./process/spec.ts";

/** Every adapter there is, in the order in which they are offered. */
export const adapterSpecs: readonly AdapterSpec[] = [
  claudeLocalSpec,
  codexLocalSpec,
  geminiLocalSpec,
  opencodeLocalSpec,
  processSpec,
  httpSpec,
];

/** The adapter of this type; null when there is none. */
export function findAdapterSpec(type: string): AdapterSpec | null {
  return adapterSpecs.find((spec) => spec.type === type) ?? null;
}
