import { parseArgs } from "node:util";
import { createChaos } from "./chaos.ts";

const { values } = parseArgs({ options: { minutes: { type: "string" }, seed: { type: "string" } } });
const minutes = Number(values.minutes ?? "3");
const seed = Number(values.seed ?? String(Math.floor(Math.random() * 1_000_000)));
if (!(minutes > 0) || !Number.isInteger(seed)) {
  say(process.stderr, "npm run chaos -- --minutes 10 --seed 1: minutes is a number above 0, seed a whole number.");
  process.exit(1);
}

say(process.stdout, `Chaos for ${minutes} minutes, seed ${seed}.`);
const { faults, counts, findings } = await createChaos({
  root: process.cwd(),
  seconds: minutes * 60,
  seed,
  tell: (line) => say(process.stdout, line),
});
say(process.stdout, `\n${faults.join("\n")}\n\n${faults.length} faults; ${counts}.`);
for (const finding of findings) say(process.stderr, `✗ ${finding}`);
const again = `npm run chaos -- --minutes ${minutes} --seed ${seed}`;
const broken = `${findings.length} findings. To try again: ${again}. What the parts said: .cache/chaos-seed-${seed}`;
say(process.stdout, findings.length === 0 ? "Every invariant holds." : broken);
process.exitCode = findings.length === 0 ? 0 : 1;

function say(to: NodeJS.WriteStream, line: string): void {
  to.write(`${line}\n`);
}
