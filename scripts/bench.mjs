// Bundles the measuring tool and runs it: `npm run bench -- --only me --seconds 5`.
import { spawn } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./build.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const programs = join(root, ".cache", "bench", "programs");

await rm(programs, { recursive: true, force: true });
const sources = [
  ...["main", "server", "floor", "load", "listeners"].map((name) => ({ name, source: `bench/${name}.ts` })),
  { name: "runner", source: "apps/runner/src/main.ts" },
];
await bundle(root, sources, programs);
// The runner tells what it was built from.
await writeFile(join(programs, "build.json"), JSON.stringify({ hash: "bench", version: "0.0.0-bench" }));
const run = spawn(process.execPath, [join(programs, "main.js"), ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
// The terminal sends the signal to both; the one that has something to clear away decides when it is over.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => run.kill(signal));
run.once("exit", (code) => process.exit(code ?? 1));
