import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Delay, delay } from "./delay.ts";

/** A loop that starts a program, waits for its end, and does nothing else. */
export type BareSpawns = Delay & { readonly perSecond: number };

/** The floor of every run: `/bin/true`, so many times. */
export async function bareSpawns(count: number): Promise<BareSpawns> {
  const begun = performance.now();
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const since = performance.now();
    await once(spawn("/bin/true", { stdio: "ignore" }), "exit");
    times.push(performance.now() - since);
  }
  return { ...delay(times), perSecond: (count * 1000) / (performance.now() - begun) };
}
