import type { Run } from "@roster/client";
import { useEffect, useState } from "react";
import { client } from "../../api/client.ts";

/** Most bytes of a log that the page shows, of its end. */
const mostBytes = 200_000;
const everyMs = 1000;

/** The end of a log, as far as it was read. */
export interface FollowedLog {
  readonly text: string;
  /** Bytes that were printed until now. */
  readonly total: number;
  /** More was printed than is shown. */
  readonly isCut: boolean;
  readonly error: unknown;
  /** True until something was answered. */
  readonly isPending: boolean;
}

const nothing: FollowedLog = { text: "", total: 0, isCut: false, error: null, isPending: true };

/** Reads what the program printed, and goes on reading until the run is over. */
export function useLog(runId: string): FollowedLog {
  const [log, setLog] = useState(nothing);
  useEffect(() => {
    const over = new AbortController();
    setLog(nothing);
    readOn(runId, over.signal, setLog).catch((error: unknown) => {
      if (!over.signal.aborted) setLog((before) => ({ ...before, error, isPending: false }));
    });
    return () => over.abort();
  }, [runId]);
  return log;
}

type Tell = (change: (before: FollowedLog) => FollowedLog) => void;

async function readOn(runId: string, signal: AbortSignal, tell: Tell): Promise<void> {
  const decoder = new TextDecoder();
  let at: number | null = null;
  for (;;) {
    const run: Run = await client.runs.get({ params: { runId }, signal });
    const total = run.log.forgotten ? 0 : run.log.bytes;
    at ??= Math.max(0, total - mostBytes);
    const from = at;
    if (total > from) {
      const bytes = await client.runs.log({ params: { runId }, range: { from, to: total }, signal });
      at += bytes.length;
      const more = decoder.decode(bytes, { stream: true });
      tell(({ text, isCut }) => ({ ...shown(text + more, isCut || from > 0), total }));
    } else tell((before) => ({ ...before, total, isPending: false }));
    if (run.finishedAt !== null && at >= total) return;
    await new Promise((wake) => setTimeout(wake, everyMs));
    signal.throwIfAborted();
  }
}

function shown(text: string, isCut: boolean): Omit<FollowedLog, "total"> {
  const rest = text.length > mostBytes ? text.slice(-mostBytes) : text;
  return { text: rest, isCut: isCut || rest.length < text.length, error: null, isPending: false };
}
