import { readdir, readFile } from "node:fs/promises";

/** Every process of this machine that belongs to a run, by its pid, with the run's id. */
export async function carriers(): Promise<ReadonlyMap<string, string>> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return [pid, /(?:^|\0)SERVICE_RUN_ID=([^\0]+)/.exec(text)?.[1] ?? ""] as const;
    }),
  );
  return new Map(found.filter(([, runId]) => runId !== ""));
}
