import { readdir, readFile } from "node:fs/promises";

/** Memory that a process occupies. Null where the system does not say (it does on Linux). */
export function residentBytes(pid: number): Promise<number | null> {
  return bytesOf(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB$/m);
}

/**
 * Memory that a process and its children occupy together. What several of them share, as the processes of a database
 * do, counts once: each has its part of it.
 */
export async function familyBytes(pid: number): Promise<number | null> {
  const sizes = await Promise.all((await family(pid)).map((member) => proportionalBytes(member)));
  return sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0);
}

const proportionalBytes = (pid: number) => bytesOf(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB$/m);

async function bytesOf(path: string, line: RegExp): Promise<number | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  const kilobytes = line.exec(text)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

async function family(parent: number): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  // After the name, which may hold anything: state and parent.
  const isChild = (stat: string): boolean => Number(stat.slice(stat.lastIndexOf(")")).split(" ")[2]) === parent;
  return [parent, ...pids.filter((_, index) => isChild(parents[index] ?? ""))];
}
