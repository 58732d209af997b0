import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { interruption } from "./interruption.ts";
import { measure, type Outcome } from "./measure.ts";
import type { Measured } from "./measurement.ts";
import { measurements } from "./measurements.ts";
import { type Options, readOptions } from "./options.ts";
import { loadTable, verdictTable } from "./report.ts";
import { scenarios } from "./scenarios.ts";
import { onStage } from "./stage.ts";
import { measureStart } from "./start.ts";
import { loadVerdicts, startVerdicts } from "./verdict.ts";

const cache = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(cache));
const extents = [1, 20];

interface LoadFigures {
  readonly postgres: string;
  /** By name. */
  readonly measured: ReadonlyMap<string, Measured>;
  readonly outcomes: readonly Outcome[];
}

async function measureLoad({ only, seconds, profile, statements }: Options): Promise<LoadFigures> {
  const profileFolder = profile ? join(cache, "profiles") : null;
  if (profileFolder !== null) await mkdir(profileFolder, { recursive: true });
  const outcomes: Outcome[] = [];
  const measured = new Map<string, Measured>();
  const postgres = await onStage(profileFolder, async (stage) => {
    const isAsked = ({ name }: { readonly name: string }): boolean => only === null || only === name;
    for (const measurement of measurements.filter(isAsked)) {
      tell(measurement.name);
      measured.set(measurement.name, await measurement.measure(stage, { statements }));
    }
    for (const scenario of scenarios.filter(isAsked)) {
      for (const companies of extents) {
        tell(`${scenario.name}, companies: ${companies}`);
        outcomes.push(await measure(stage, scenario, { companies, seconds }));
      }
    }
    return stage.postgresVersion;
  });
  if (profileFolder !== null) tell(`profiles are in ${profileFolder}`);
  return { postgres, measured, outcomes };
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function run(options: Options): Promise<void> {
  const machine = {
    processors: availableParallelism(),
    model: cpus()[0]?.model ?? "",
    memoryBytes: totalmem(),
    system: `${process.platform}-${process.arch}`,
    node: process.versions.node,
    /** What else went on: figures of a machine that was busy say little. */
    loadBefore: loadavg()[0] ?? 0,
  };
  const isAsked = (name: string): boolean => options.only === null || options.only === name;
  if (isAsked("start")) tell("start");
  const start = isAsked("start") ? await measureStart(root, cache) : null;
  const { postgres, measured, outcomes } =
    options.only === "start" ? { postgres: null, measured: new Map(), outcomes: [] } : await measureLoad(options);
  const verdicts = [
    ...(start === null ? [] : startVerdicts(start)),
    ...[...measured.values()].flatMap(({ verdicts }) => verdicts),
    ...outcomes.flatMap(loadVerdicts),
  ];
  const figures = Object.fromEntries([...measured].map(([name, found]) => [name, found.figures]));
  const about = { takenAt: new Date().toISOString(), machine, postgres, options };
  const results = { ...about, start, ...figures, outcomes, verdicts };
  const file = join(root, "bench", "results.json");
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  const { processors, model, node, loadBefore } = machine;
  console.log(`\n${processors} × ${model}, Node ${node}, load before ${loadBefore.toFixed(1)}\n`);
  if (outcomes.length > 0) console.log(`${loadTable(outcomes)}\n`);
  const appendices = [...measured.values()].flatMap(({ appendix = [] }) => appendix);
  console.log([verdictTable(verdicts), ...appendices, file].join("\n\n"));
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());
try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  tell(interruption.signal.aborted ? "interrupted" : String(error instanceof Error ? error.message : error));
  process.exitCode = 1;
}
