import type { RunEvent } from "@roster/client";
import { useEffect, useState } from "react";
import { client } from "../../api/client.ts";

/** Most events that are kept in the page; what came before them is in the log. */
const mostEvents = 2000;
// One drawing for all that arrives at once.
const gatherMs = 60;

/** What a run told so far, as it tells it. */
export interface RunEvents {
  readonly events: readonly RunEvent[];
  readonly error: unknown;
  /** True when no more will come. */
  readonly isOver: boolean;
}

/** Follows a run until it ends. A lost connection is made again by itself, after the last event that arrived. */
export function useRunEvents(runId: string): RunEvents {
  const [told, setTold] = useState<RunEvents>({ events: [], error: null, isOver: false });
  useEffect(() => {
    const over = new AbortController();
    let gathered: RunEvent[] = [];
    const flush = (): void => {
      const fresh = gathered;
      gathered = [];
      if (!over.signal.aborted)
        setTold((before) => ({ ...before, events: [...before.events, ...fresh].slice(-mostEvents) }));
    };
    const read = async (): Promise<void> => {
      const following = client.runs.events.follow({ params: { runId }, query: { after: 0 }, signal: over.signal });
      for await (const event of following) {
        gathered.push(event);
        if (gathered.length === 1) setTimeout(flush, gatherMs);
      }
    };
    read()
      .then(() => {
        flush();
        setTold((before) => ({ ...before, isOver: true }));
      })
      .catch((error: unknown) => over.signal.aborted || setTold((before) => ({ ...before, error })));
    return () => over.abort();
  }, [runId]);
  return told;
}
