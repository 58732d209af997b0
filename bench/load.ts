// The load generator, a process of its own.
import autocannon from "autocannon";
import { answerParent } from "./child.ts";
import type { LoadRequest } from "./scenario.ts";

/** What is to be fired at an address. */
export interface Volley {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  readonly seconds: number;
  /** Each request is for one time: the volley ends with them, whatever `seconds` says. */
  readonly once: boolean;
}

/** What came back. Times in milliseconds. */
export interface Hits {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const connections = 10;

/** Over all volleys: names made of it are never used twice. */
let number = 0;

async function fire({ url, requests, seconds, once }: Volley): Promise<Hits> {
  const plan = requests.map(({ method, path, headers, body }) => ({
    method,
    path,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    body: body === undefined ? "" : JSON.stringify(body),
  }));
  const [first] = plan;
  if (first === undefined) throw new Error("nothing to ask for");
  // Built once where it can be; autocannon itself repeats a list per connection, which would ask all companies in step.
  const isConstant = plan.length === 1 && !first.body.includes("#");
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    number += 1;
    const next = plan[number % plan.length] ?? first;
    return { ...request, ...next, body: next.body.replaceAll("#", String(number)) };
  };
  const begin = performance.now();
  let end = begin;
  const firing = autocannon({
    url,
    connections,
    duration: seconds,
    ...(once && { amount: plan.length }),
    requests: [isConstant ? first : { ...first, setupRequest }],
  });
  // autocannon's own percentiles are whole milliseconds.
  const times: number[] = [];
  const refused = new Map<number, number>();
  firing.on("response", (_client, status: number, _bytes, ms: number) => {
    times.push(ms);
    // autocannon itself notices only every second that it has finished.
    end = performance.now();
    if (status >= 300) refused.set(status, (refused.get(status) ?? 0) + 1);
  });
  const result = await firing;
  if (result.errors > 0 || result.non2xx > 0) {
    const counts = [...refused].map(([status, count]) => `${count} × ${status}`).join(", ");
    throw new Error(`${first.method} ${first.path}: ${result.errors} failed, refused: ${counts || "none"}`);
  }
  times.sort((one, other) => one - other);
  const percentile = (part: number): number => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return {
    requests: result["2xx"],
    perSecond: (result["2xx"] / (end - begin)) * 1000,
    p50: percentile(0.5),
    p99: percentile(0.99),
  };
}

answerParent(
  (volley) => fire(volley as unknown as Volley),
  async () => undefined,
);
