import { firstEpoch } from "./build-run.ts";

/**
 * Values for fields of which the schema says less than the service asks for, by the end of their dotted path; `n` is
 * different each time. A field whose schema carries `examples` needs no line here.
 */
const knownValues: Readonly<Record<string, (n: number) => unknown>> = {
  adapterType: () => "claude_local",
  instructionsBundle: (n) => ({ files: { "AGENTS.md": `Do task ${n}.` } }),
  adapterConfig: (n) => ({ maxTurnsPerRun: 1 + (n % 1000) }),
  files: (n) => ({ "SKILL.md": `---\nname: skill-${n}\ndescription: A sample.\n---\nWork.\n` }),
  // Runs are made for the sweep by being claimed once.
  epoch: () => firstEpoch,
  // A runner may take a few more than it has, whatever waits in the queue.
  capacity: () => 3,
  runtimeConfig: (n) => ({ heartbeat: { intervalSec: 10 + (n % 1000) } }),
};

/** The known value for a field, or undefined; the longest end of its path that is listed wins. */
export function knownValue(path: readonly string[], n: number): unknown {
  for (let from = 0; from < path.length; from += 1) {
    const known = knownValues[path.slice(from).join(".")];
    if (known !== undefined) return known(n);
  }
  return undefined;
}
