import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "../../design/classes.ts";
import { Markdown } from "../../design/markdown.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { useRunEvents } from "./run-events.ts";
import { entriesOf, type TranscriptEntry } from "./transcript-entries.ts";

/** What the agent said and did, as it happens. */
export function Transcript({ runId }: { readonly runId: string }): ReactNode {
  const { events, error, isOver } = useRunEvents(runId);
  const entries = entriesOf(events);
  return (
    <section aria-label="Transcript" aria-busy={!isOver} className="flex flex-col gap-3">
      {(events[0]?.seq ?? 1) > 1 && <p className="text-ink-faint text-sm">What came before this is in the log.</p>}
      <ol className="flex flex-col gap-3">
        {entries.map((entry) => (
          <li key={entry.seq}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
      <Refusal error={error} />
      {!isOver && error === null && (
        <p role="status" className="flex items-center gap-2 text-ink-faint text-sm">
          <span aria-hidden="true" className="breathing size-1.5 rounded-full bg-accent" />
          {entries.length === 0 ? "It has told nothing yet." : "It goes on."}
        </p>
      )}
      {isOver && entries.length === 0 && <p className="text-ink-soft">It told nothing.</p>}
    </section>
  );
}

function Entry({ entry }: { readonly entry: TranscriptEntry }): ReactNode {
  if (entry.kind === "message") {
    return (
      <div className="rounded-lg border border-line bg-surface px-4 py-3">
        <Markdown text={entry.text} />
      </div>
    );
  }
  if (entry.kind === "tool") return <ToolCall entry={entry} />;
  if (entry.kind === "note") return <p className="px-1 text-ink-faint text-sm">{entry.text}</p>;
  return <Output text={entry.text} isError={entry.isError} />;
}

function Output({ text, isError }: { readonly text: string; readonly isError: boolean }): ReactNode {
  return (
    <pre
      className={classes(
        "overflow-x-auto whitespace-pre-wrap break-words rounded-lg bg-sunken px-4 py-2.5 font-mono text-xs leading-5",
        isError && "text-bad",
      )}
    >
      {text}
    </pre>
  );
}

function ToolCall({ entry }: { readonly entry: Extract<TranscriptEntry, { kind: "tool" }> }): ReactNode {
  return (
    <details className="group rounded-lg border border-line bg-surface">
      <summary className="flex cursor-pointer list-none items-center gap-2 px-3 py-2 text-sm">
        <ChevronRight size={14} aria-hidden="true" className="shrink-0 transition-transform group-open:rotate-90" />
        <span className="font-medium font-mono">{entry.name}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-ink-faint text-xs">{entry.input}</span>
        {entry.isError && <span className="text-bad text-xs">failed</span>}
        {entry.output === null && <span className="text-ink-faint text-xs">no result yet</span>}
      </summary>
      <div className="flex flex-col gap-2 border-line border-t p-3 font-mono text-xs leading-5">
        <pre className="overflow-x-auto whitespace-pre-wrap break-words">{entry.input}</pre>
        {entry.output !== null && (
          <pre className="overflow-x-auto whitespace-pre-wrap break-words rounded-md bg-sunken p-2.5">
            {entry.output}
          </pre>
        )}
      </div>
    </details>
  );
}
