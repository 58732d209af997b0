import { get as getPlain, type IncomingMessage } from "node:http";
import { get as getSecure } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { readEvents } from "@roster/client/event-reader";
import type { CallInput } from "../call-input.ts";

/** What the run's own agent has said of how it came out. */
export interface Completion {
  readonly hasSucceeded: boolean;
  readonly words: unknown;
}

// The service says something every 15 seconds, if only that it is there.
const silenceMs = 45_000;
const firstMs = 1000;
const longestMs = 10_000;

/** A stored event, as far as it matters here. */
interface Event {
  readonly seq?: number;
  readonly kind?: string;
  readonly stream?: string | null;
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/**
 * Follows the run's own events until one says how it came out. It is stored, so it is not missed, however often the
 * connection breaks. Null when the credential is good no more: the run is over, or is to end.
 */
export async function awaitCompletion(input: CallInput, signal: AbortSignal): Promise<Completion | null> {
  const place = { seq: 0 };
  for (let failures = 0; ; failures += 1) {
    const before = place.seq;
    const heard = await listen(input, place, signal);
    if (heard !== null) return heard === "over" ? null : heard;
    if (place.seq > before) failures = 0;
    await pause(Math.random() * Math.min(firstMs * 2 ** failures, longestMs), undefined, { signal });
  }
}

/** Listens until the connection breaks (null), moving the place on with each event; "over" when there is nothing to hear. */
async function listen(
  input: CallInput,
  place: { seq: number },
  signal: AbortSignal,
): Promise<Completion | "over" | null> {
  try {
    const answer = await ask(input, place.seq, signal);
    const { statusCode: status = 0 } = answer;
    if ([401, 403, 404].includes(status)) return "over";
    if (status !== 200) answer.destroy();
    for await (const { kind, data } of readEvents(answer.setEncoding("utf8"))) {
      if (kind === "end") return "over";
      const event = data === "" ? {} : (JSON.parse(data) as Event);
      place.seq = event.seq ?? place.seq;
      const completion = completionIn(event);
      if (completion !== null) return completion;
    }
  } catch {
    // It is asked again, from where it was.
  }
  return null;
}

/** What a program prints has a stream; what its agent said by the call that completes a run has none. Pure. */
function completionIn({ kind, stream, data }: Event): Completion | null {
  if (kind !== "result" || stream !== null || typeof data?.["status"] !== "string") return null;
  return { hasSucceeded: data["status"] === "succeeded", words: data["text"] };
}

function ask({ service, runId }: CallInput, after: number, signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(`${service.url.replace(/\/+$/, "")}/api/heartbeat-runs/${runId}/events?after=${after}`);
  const headers = { accept: "text/event-stream", authorization: `Bearer ${service.key}` };
  return new Promise((resolve, reject) => {
    const get = url.protocol === "https:" ? getSecure : getPlain;
    const asking = get(url, { headers, signal, agent: false, timeout: silenceMs }, resolve);
    asking.on("timeout", () => asking.destroy(new Error("silent")));
    asking.on("error", reject);
  });
}
