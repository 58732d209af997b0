import type { JsonObject, ToldEvent } from "@roster/contract";
import { amountOf, tokenKinds } from "./told-usage.ts";

/** How far the events of a run are stored. */
export interface Progress {
  readonly lastSeq: number;
  readonly storedStdout: number;
  readonly storedStderr: number;
  readonly logBytes: number;
  readonly logTruncated: boolean;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** What the last session event said. */
  readonly session: JsonObject | null;
}

/** An event that was not made of what a program printed: its agent told it by a call, which is made once. */
export type SaidEvent = Pick<ToldEvent, "kind" | "data"> & { readonly stream: null };

/** An event as it is stored. */
export interface StoredEvent {
  readonly seq: number;
  readonly kind: ToldEvent["kind"];
  readonly stream: ToldEvent["stream"] | null;
  readonly logOffset: number | null;
  readonly content: Buffer | null;
  readonly data: ToldEvent["data"] | null;
}

/** More than a runner sends of one run: what is over it came from one that does not keep to the protocol. */
const mostLogBytes = 12 * 1_048_576;

/**
 * The events that are not stored yet, numbered, and how far the run's events are stored with them. An event is known by
 * the bytes it was made of, so what is told again, by the same runner or by one that adopted the run, is left out. Pure.
 */
export function appended(
  before: Progress,
  told: readonly (ToldEvent | SaidEvent)[],
): { events: StoredEvent[]; after: Progress } {
  const events: StoredEvent[] = [];
  let after = before;
  for (const event of told) {
    if (event.stream !== null && event.offset < storedOf(before, event.stream)) continue;
    const content = event.stream === null ? null : contentOf(event);
    const isOver = content !== null && after.logBytes + content.length > mostLogBytes;
    const kept = isOver ? null : content;
    events.push({
      seq: after.lastSeq + 1,
      kind: event.kind,
      stream: event.stream,
      logOffset: kept === null ? null : after.logBytes,
      content: kept,
      data: event.data ?? null,
    });
    after = {
      ...(event.stream === null ? after : withStored(after, event.stream, event.offset + event.length)),
      ...(event.kind === "usage" && usedAfter(after, event.data ?? {})),
      ...(event.kind === "session" && { session: sessionIn(event.data) }),
      lastSeq: after.lastSeq + 1,
      logBytes: after.logBytes + (kept?.length ?? 0),
      logTruncated: after.logTruncated || isOver || event.kind === "gap",
    };
  }
  return { events, after };
}

const storedOf = (progress: Progress, stream: ToldEvent["stream"]): number =>
  stream === "stdout" ? progress.storedStdout : progress.storedStderr;

function withStored(progress: Progress, stream: ToldEvent["stream"], upTo: number): Progress {
  const most = Math.max(storedOf(progress, stream), upTo);
  return stream === "stdout" ? { ...progress, storedStdout: most } : { ...progress, storedStderr: most };
}

const usedAfter = (before: Progress, data: NonNullable<ToldEvent["data"]>): Partial<Progress> =>
  Object.fromEntries(tokenKinds.map((kind) => [kind, before[kind] + amountOf(data[kind])]));

/** More is no name of a conversation. */
const mostSessionLength = 4096;

function sessionIn(data: ToldEvent["data"]): JsonObject | null {
  return data === undefined || JSON.stringify(data).length > mostSessionLength ? null : data;
}

/** The bytes that an event adds to the log; null where it adds none. */
function contentOf({ kind, text, base64, data }: ToldEvent): Buffer | null {
  if (kind === "gap") return Buffer.from(`\n[… ${Number(data?.["bytes"] ?? 0)} bytes were left out here …]\n`);
  if (kind !== "output") return null;
  return base64 === undefined ? Buffer.from(text ?? "") : Buffer.from(base64, "base64");
}
