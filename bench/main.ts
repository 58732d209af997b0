import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { interruption } from "./interruption.ts";
import { measure, type Outcome } from "./measure.ts";
import { type Options, readOptions } from "./options.ts";
import { loadTable, verdictTable } from "./report.ts";
import { measureRuns, type RunFigures } from "./runs.ts";
import { scenarios } from "./scenarios.ts";
import { onStage } from "./stage.ts";
import { measureStart } from "./start.ts";
import { loadVerdicts, runVerdicts, startVerdicts } from "./verdict.ts";

const cache = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(cache));
const extents = [1, 20];

interface LoadFigures {
  readonly postgres: string;
  readonly runs: RunFigures | null;
  readonly outcomes: readonly Outcome[];
}

async function measureLoad({ only, seconds, profile }: Options): Promise<LoadFigures> {
  const profileFolder = profile ? join(cache, "profiles") : null;
  if (profileFolder !== null) await mkdir(profileFolder, { recursive: true });
  const outcomes: Outcome[] = [];
  let runs: RunFigures | null = null;
  const postgres = await onStage(profileFolder, async (stage) => {
    if (only === null || only === "runs") {
      tell("runs");
      runs = await measureRuns(stage);
    }
    for (const scenario of scenarios.filter(({ name }) => only === null || only === name)) {
      for (const companies of extents) {
        tell(`${scenario.name}, companies: ${companies}`);
        outcomes.push(await measure(stage, scenario, { companies, seconds }));
      }
    }
    return stage.postgresVersion;
  });
  if (profileFolder !== null) tell(`profiles are in ${profileFolder}`);
  return { postgres, runs, outcomes };
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
  const { postgres, runs, outcomes } =
    options.only === "start" ? { postgres: null, runs: null, outcomes: [] } : await measureLoad(options);
  const verdicts = [
    ...(start === null ? [] : startVerdicts(start)),
    ...(runs === null ? [] : runVerdicts(runs)),
    ...outcomes.flatMap(loadVerdicts),
  ];
  const results = { takenAt: new Date().toISOString(), machine, postgres, options, start, runs, outcomes, verdicts };
  const file = join(root, "bench", "results.json");
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  const { processors, model, node, loadBefore } = machine;
  console.log(`\n${processors} × ${model}, Node ${node}, load before ${loadBefore.toFixed(1)}\n`);
  if (outcomes.length > 0) console.log(`${loadTable(outcomes)}\n`);
  console.log(`${verdictTable(verdicts)}\n\n${file}`);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());
try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  tell(interruption.signal.aborted ? "interrupted" : String(error instanceof Error ? error.message : error));
  process.exitCode = 1;
}
