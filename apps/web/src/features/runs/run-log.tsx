import type { Run } from "@roster/client";
import type { ReactNode } from "react";
import { useAsk } from "../../api/queries.ts";
import { buttonClass } from "../../design/button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Waiting } from "../../design/surface.tsx";

/** Most bytes of a log that the page shows, of its end. */
const mostBytes = 200_000;

/** What the program printed, as it is. */
export function RunLog({ run: { id, log } }: { readonly run: Run }): ReactNode {
  const from = Math.max(0, log.bytes - mostBytes);
  const hasLog = log.bytes > 0 && !log.forgotten;
  const { data, error } = useAsk("runs.log", hasLog ? { params: { runId: id }, range: { from } } : null);
  if (log.forgotten)
    return <p className="text-ink-soft">Its output was removed after the time for which it is kept.</p>;
  if (!hasLog) return <p className="text-ink-soft">It printed nothing that is not in the transcript.</p>;
  if (data === undefined) return error === null ? <Waiting /> : <Refusal error={error} />;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2 text-ink-faint text-sm">
        <span>
          {log.bytes.toLocaleString("en")} bytes{from > 0 && ", of which this is the end"}
          {log.truncated && "; a part in the middle was left out"}
        </span>
        <a href={`/api/heartbeat-runs/${id}/log`} download={`run-${id}.log`} className={buttonClass()}>
          Download
        </a>
      </div>
      <pre className="max-h-[70dvh] overflow-auto rounded-lg bg-sunken p-4 font-mono text-xs leading-5">
        {new TextDecoder().decode(data)}
      </pre>
    </div>
  );
}
