// Bundles the fault test and runs it: `npm run chaos -- --minutes 10 --seed 1`.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./build.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
await mkdir(join(root, ".cache"), { recursive: true });
const programs = await mkdtemp(join(root, ".cache", "chaos-"));
await bundle(root, [{ name: "main", source: "chaos/main.ts" }], programs);
const run = spawn(process.execPath, [join(programs, "main.js"), ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => run.kill(signal));
run.once("exit", async (code) => {
  await rm(programs, { recursive: true });
  process.exit(code ?? 1);
});
