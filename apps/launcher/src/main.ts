import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Build, launch } from "./launch.ts";
import { readSettings } from "./settings.ts";

const graceMs = 10_000;

async function readBuild(): Promise<Build> {
  const folder = dirname(fileURLToPath(import.meta.url));
  const { hash, version } = JSON.parse(await readFile(join(folder, "build.json"), "utf8")) as Build;
  return { folder, hash, version };
}

process.exit(await launch(readSettings(process.env), await readBuild(), { graceMs, wholeMs: 4 * graceMs }));
