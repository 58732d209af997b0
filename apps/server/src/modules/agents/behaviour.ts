import { adapterSpecs, findAdapterSpec } from "@roster/adapters/specs";
import { type AgentChange, type InstructionsBundle, type JsonObject, runtimeConfig } from "@roster/contract";
import { mergePatch } from "../../platform/merge-patch.ts";
import { Refusal } from "../../platform/refusal.ts";
import { checked, choiceDetail } from "../../platform/schema-check.ts";
import { mergedSettings } from "./merge-settings.ts";
import { restoredSettings } from "./secure-settings.ts";
import type { Content } from "./table.ts";

/** Refuses settings that the adapter cannot work with; unknown ones are kept as they came. */
export function requireSettings(adapterType: string, adapterConfig: JsonObject): void {
  const spec = findAdapterSpec(adapterType);
  if (spec === null) {
    const types = adapterSpecs.map(({ type }) => type);
    throw new Refusal("invalid_request", `There is no adapter "${adapterType}".`, {
      details: [choiceDetail("adapterType", types, adapterType)],
      fix: { read: "/llms/agent-configuration.txt" },
    });
  }
  checked(spec.settings, adapterConfig, "adapterConfig");
}

/** The instructions of a new agent: those given, else its prompt as the one file. Pure. */
export function instructionsOf(given: InstructionsBundle | null, adapterConfig: JsonObject): InstructionsBundle | null {
  const prompt = adapterConfig["promptTemplate"];
  if (given !== null || typeof prompt !== "string") return given;
  return { entryFile: "AGENTS.md", files: { "AGENTS.md": prompt } };
}

/**
 * The behaviour after a change, without its skills: `adapterConfig` and `runtimeConfig` merge (RFC 7396), another
 * adapter type replaces the settings of the old one, everything else is replaced whole. Refuses a result that is not
 * valid. Pure.
 */
export function changedBehaviour(present: Content, patch: AgentChange): Omit<Content, "skills"> {
  const adapterType = patch.adapterType ?? present.adapterType;
  const base = adapterType === present.adapterType ? present.adapterConfig : undefined;
  const settings = restoredSettings(base, patch.adapterConfig ?? {});
  const adapterConfig = mergedSettings(base ?? {}, settings);
  if (patch.adapterType !== undefined || patch.adapterConfig !== undefined) requireSettings(adapterType, adapterConfig);
  return {
    adapterType,
    adapterConfig,
    instructionsBundle: patch.instructionsBundle === undefined ? present.instructionsBundle : patch.instructionsBundle,
    runtimeConfig:
      patch.runtimeConfig === undefined
        ? present.runtimeConfig
        : checked(runtimeConfig, mergePatch(present.runtimeConfig, patch.runtimeConfig), "runtimeConfig"),
    permissions: patch.permissions ?? present.permissions,
    budgetMonthlyCents: patch.budgetMonthlyCents ?? present.budgetMonthlyCents,
  };
}
