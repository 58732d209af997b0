import type { JsonObject } from "@roster/contract";
import { digestOf } from "../../platform/digest.ts";
import { differences, type JsonDifference } from "../../platform/json-difference.ts";
import { redact } from "../../platform/secrets/index.ts";
import type { Content } from "./table.ts";

/** The part of an agent that a revision holds. Pure. */
export function contentOf(row: Content): Content {
  return {
    adapterType: row.adapterType,
    adapterConfig: row.adapterConfig,
    instructionsBundle: row.instructionsBundle,
    skills: row.skills,
    runtimeConfig: row.runtimeConfig,
    permissions: row.permissions,
    budgetMonthlyCents: row.budgetMonthlyCents,
  };
}

/** Names a content: equal contents have equal hashes. */
export const hashOfContent = (content: Content): string => digestOf(content);

/** Where two contents differ. Pure; `before` is null for the first revision. */
export function contentDifferences(before: Content | null, after: Content): JsonDifference[] {
  return differences(before === null ? {} : plainContent(before), plainContent(after));
}

/** A content as people may see it. */
export const redactedContent = (content: Content): Content => ({
  ...content,
  adapterConfig: redact(content.adapterConfig) as JsonObject,
});

/** The same as what JSON makes of it, so that an absent member and an undefined one do not differ. */
export const plainContent = (content: Content): JsonObject => JSON.parse(JSON.stringify(content)) as JsonObject;
