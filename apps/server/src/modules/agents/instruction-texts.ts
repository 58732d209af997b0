import type { JsonObject, TextDifference } from "@roster/contract";
import { hideShapes } from "../../platform/secrets/index.ts";
import { type Texts, textDifferences } from "../../platform/text-difference.ts";

type Json = JsonObject[string];

/**
 * How the texts that programs read differ between two configurations, or two payloads that propose one: the prompt and
 * the instruction files. What looks like a secret is hidden on both sides. Pure.
 */
export const instructionDifferences = (before: JsonObject, after: JsonObject): TextDifference[] =>
  textDifferences(instructionTexts(before), instructionTexts(after));

/** The texts by their paths in the value. A proposed change has them in its `patch`. */
function instructionTexts(value: JsonObject): Texts {
  const found = new Map<string, string>();
  for (const [root, path] of [
    [value, ""],
    [memberOf(value, "patch"), "patch."],
  ] as const) {
    const prompt = memberOf(memberOf(root, "adapterConfig"), "promptTemplate");
    if (typeof prompt === "string") found.set(`${path}adapterConfig.promptTemplate`, hideShapes(prompt));
    for (const [name, text] of membersOf(memberOf(memberOf(root, "instructionsBundle"), "files"))) {
      if (typeof text === "string") found.set(`${path}instructionsBundle.files.${name}`, hideShapes(text));
    }
  }
  return found;
}

const membersOf = (value: Json | undefined): [string, Json | undefined][] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

const memberOf = (value: Json | undefined, name: string): Json | undefined => new Map(membersOf(value)).get(name);
