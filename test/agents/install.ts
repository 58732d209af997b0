import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const folder = fileURLToPath(new URL("../../.cache/agents/", import.meta.url));

/** What was seen to work with the adapters. */
const versions = {
  "@anthropic-ai/claude-code": "2.1.197",
  "@openai/codex": "0.169.0",
  "@google/gemini-cli": "0.61.0",
  "opencode-ai": "1.18.33",
};

const inPackages = (...path: readonly string[]): string => join(folder, "node_modules", ...path);
const platform = `${process.platform}-${process.arch}`;

/** The programs, where their packages have them: without install scripts, links to native ones are not made. */
export const programs = {
  claude_local: inPackages("@anthropic-ai", `claude-code-${platform}`, "claude"),
  codex_local: inPackages(".bin", "codex"),
  gemini_local: inPackages(".bin", "gemini"),
  opencode_local: inPackages(`opencode-${platform}`, "bin", "opencode"),
} as const;

/** Installs the programs, about a gigabyte, into a folder that git ignores; what is there stays. */
export async function setup(): Promise<void> {
  const wanted = JSON.stringify({ private: true, dependencies: versions }, null, 2);
  const note = join(folder, "installed.json");
  if ((await readFile(note, "utf8").catch(() => "")) === wanted) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), wanted);
  process.stdout.write("Installing the programs of agents into .cache/agents\n");
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  await promisify(execFile)("npm", args, { cwd: folder });
  await writeFile(note, wanted);
}
