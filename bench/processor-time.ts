import { readFile } from "node:fs/promises";

/** Linux counts in hundredths of a second, on every machine that Node runs on. */
const microsOfTick = 10_000;

/** What a process and the children it has buried took of a processor, in microseconds. Null where the system does not say. */
export async function processorMicros(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // After the name, which may hold anything: state, parent, and in the end the times, its own and its children's.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = [11, 12, 13, 14].map((at) => Number(fields[at]));
  return fields.length < 15 ? null : ticks.reduce((sum, each) => sum + each, 0) * microsOfTick;
}
