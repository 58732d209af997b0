import type { Measurement } from "./measurement.ts";
import { watchMemory } from "./memory-watch.ts";
import { prepareCrowd, untilSettled, withRunner, workedMs } from "./run-ground.ts";
import type { Stage } from "./stage.ts";
import { judged } from "./verdict.ts";

/** What it takes to store what programs print. */
interface OutputFigures {
  readonly runs: number;
  readonly megabytesPerSecond: number;
  readonly serverBytes: number | null;
  readonly runnerBytes: number | null;
}

const crowd = { agents: 25, wakesOfEach: 4 };
const megabyte = 1_000_000;
/** Lines of 100 characters, as many programs print them. */
const lines = 10_000;
const line = "The quick brown fox jumps over the lazy dog, and the lazy dog takes its time to look after the fox.";
const program = { command: "/bin/sh", args: ["-c", `yes '${line}' | head -n ${lines}`] };

/** Many runs that print a megabyte each, with a runner of their own. */
export const output: Measurement = {
  name: "output",
  async measure(stage) {
    const figures = await measureOutput(stage);
    const { runs, megabytesPerSecond, serverBytes, runnerBytes } = figures;
    const megabytes = (bytes: number | null): number | null => bytes && bytes / megabyte;
    const verdicts = [
      judged(`output: ${runs} runs of 1 MB, stored per second`, megabytesPerSecond, "MB", null),
      judged("output: runner meanwhile, most", megabytes(runnerBytes), "MB", null),
      judged("output: server meanwhile, most", megabytes(serverBytes), "MB", null),
    ];
    return { figures, verdicts };
  },
};

async function measureOutput(stage: Stage): Promise<OutputFigures> {
  const { companyId, wake } = await prepareCrowd(stage, { ...crowd, program });
  await wake();
  await stage.settle();
  return withRunner(stage, async ({ pid }) => {
    const memory = watchMemory([stage.server.pid, pid]);
    await untilSettled(stage, companyId);
    const [serverBytes = null, runnerBytes = null] = await memory.stop();
    const bytes = await storedBytes(stage, companyId);
    const seconds = (await workedMs(stage, companyId)) / 1000;
    const runs = crowd.agents * crowd.wakesOfEach;
    if (bytes !== runs * lines * (line.length + 1)) throw new Error(`of the output only ${bytes} bytes were stored`);
    return { runs, megabytesPerSecond: bytes / megabyte / seconds, serverBytes, runnerBytes };
  });
}

async function storedBytes({ database: { driver } }: Stage, companyId: string): Promise<number> {
  const [row] = await driver<{ bytes: number }[]>`
    select coalesce(sum(log_bytes), 0)::float8 as bytes from runs where company_id = ${companyId}`;
  return row?.bytes ?? 0;
}
