import type { NamedOperation } from "@roster/contract";
import { faultsOf, refused } from "./answer-check.ts";
import { type Finding, findingsAt } from "./finding.ts";
import { callOf, merged } from "./input.ts";
import { nameOf, type Trial } from "./trial.ts";
import type { World } from "./world.ts";

/** What `Range` promises of bytes: any part is the same part of the whole, and what is not there is refused. */
export async function tryRanges(world: World, named: NamedOperation, trial: Trial): Promise<Finding[]> {
  if (named.operation.answer.kind !== "bytes") return [];
  const send = (range: string) =>
    world.wire.send(
      callOf(named, trial.actor, trial.place, merged(trial.input, range === "" ? {} : { headers: { range } })),
    );
  const whole = await send("");
  const bytes = Buffer.from(whole.text);
  const total = bytes.byteLength;
  const faults: string[] = [];
  if (total < 3) faults.push(`has ${total} bytes, too few to try parts of it`);
  if (whole.headers["accept-ranges"] !== "bytes") faults.push("does not say that it takes ranges of bytes");
  const parts: readonly (readonly [string, number, number])[] = [
    ["bytes=0-0", 0, 1],
    ["bytes=1-", 1, total],
    ["bytes=-2", total - 2, total],
    [`bytes=0-${total + 10}`, 0, total],
  ];
  for (const [range, from, to] of parts) {
    const answer = await send(range);
    const wanted = [206, `bytes ${from}-${to - 1}/${total}`, bytes.subarray(from, to).toString()];
    const got = [answer.status, answer.headers["content-range"], answer.text];
    if (String(got) !== String(wanted)) faults.push(`${range} answers ${String(got)}`);
  }
  for (const range of ["bytes=0-0,2-2", "bytes=2-1", "lines=1-2"]) {
    const { status, text } = await send(range);
    if (status !== 200 || text !== whole.text) faults.push(`${range} answers ${status} ${text.slice(0, 100)}`);
  }
  const beyond = await send(`bytes=${total}-`);
  faults.push(...faultsOf(named.operation, beyond, refused("range_not_satisfiable")));
  if (beyond.headers["content-range"] !== `bytes */${total}`) faults.push("does not say how many bytes there are");
  return findingsAt(`${nameOf(trial)}, with Range`, faults);
}
