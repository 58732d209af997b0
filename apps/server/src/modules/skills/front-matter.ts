import { parseDocument } from "yaml";
import { unfit } from "./unfit.ts";

/** Longest front matter, in characters: what a parser can be made to do grows faster than its text. */
const longest = 8192;
const longestName = 200;
const fence = /^---[ \t]*$/;
/** Control characters and half surrogate pairs, which escapes can smuggle into a text. */
const unstorable = /[\p{Cc}\p{Cs}]/u;

/** What a skill says of itself. */
export interface FrontMatter {
  readonly name: string;
  readonly description: string;
}

/**
 * Reads `name` and `description` from the YAML between the first two `---` lines. Pure; refuses, with the place `at`,
 * what has none. Only these two values are looked at and no alias is followed, so nothing in the text can grow.
 */
export function readFrontMatter(text: string, at: string): FrontMatter {
  const document = parseDocument(yamlOf(text, at), { schema: "failsafe", prettyErrors: false, logLevel: "silent" });
  const fault = document.errors[0];
  if (fault !== undefined) throw unfit(at, `has front matter that is not YAML (${fault.code}: ${fault.message})`);
  return {
    name: textOf(document.get("name"), { at, field: "name", longest: longestName }).replace(/\s+/g, " "),
    description: textOf(document.get("description"), { at, field: "description", longest }),
  };
}

function yamlOf(text: string, at: string): string {
  const lines = text
    .replace(/^\uFEFF/, "")
    .slice(0, longest)
    .split(/\r?\n/);
  const end = lines.findIndex((line, index) => index > 0 && fence.test(line));
  if (!fence.test(lines[0] ?? "")) {
    throw unfit(at, "must begin with front matter: a line ---, then name: and description:, then a line ---");
  }
  if (end === -1) throw unfit(at, `has front matter that no line --- ends within ${longest} characters`);
  return lines.slice(1, end).join("\n");
}

function textOf(value: unknown, { at, field, longest }: { at: string; field: string; longest: number }): string {
  const text = typeof value === "string" ? value.trim() : "";
  if (text === "") throw unfit(at, `needs the text ${field}: in its front matter`);
  if (text.length > longest) throw unfit(at, `has a ${field} of more than ${longest} characters`);
  if (unstorable.test(text.replace(/[\n\t]/g, " "))) throw unfit(at, `has a control character in its ${field}`);
  return text;
}
