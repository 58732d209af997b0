import { readFileSync } from "node:fs";

/** When a process was born, as this machine counts births. */
export interface Birth {
  readonly pid: number;
  /** Births of the whole machine up to then, threads included. */
  readonly count: number;
}

/** Births of the whole machine since it was started; null where that cannot be seen. */
export function birthsSoFar(): number | null {
  return numberIn("/proc/stat", /^processes (\d+)$/m);
}

/**
 * Those of these processes that may have been born after this one: numbers are given out in a circle, so as long as
 * fewer were given out since than half of it, the later ones stand between its number and the last. All of them where
 * that cannot be told. It spares a look at every process of the machine for each run that ends.
 */
export function bornAfter(birth: Birth | null, pids: readonly number[]): readonly number[] {
  const births = birthsSoFar();
  const circle = numberIn("/proc/sys/kernel/pid_max", /^(\d+)/);
  const last = numberIn("/proc/loadavg", /(\d+)\s*$/);
  if (birth === null || births === null || circle === null || last === null) return pids;
  if (births - birth.count >= circle / 2) return pids;
  return pids.filter((pid) => isBetween(birth.pid, pid, last));
}

/** True for a number that comes after `first` and not after `last`, in a circle. Pure. */
export function isBetween(first: number, number: number, last: number): boolean {
  return first <= last ? first < number && number <= last : first < number || number <= last;
}

function numberIn(file: string, pattern: RegExp): number | null {
  try {
    const found = pattern.exec(readFileSync(file, "latin1"))?.[1];
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
}
