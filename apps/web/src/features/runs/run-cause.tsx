import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/operations.ts";
import { useCompany } from "../../app/company.ts";
import { lasted, Moment, Money } from "../../design/measures.tsx";
import { Card, Facts, Section } from "../../design/surface.tsx";
import { wordsOf } from "../../design/words.ts";

type RunView = AnswerOf<"runs.get">;

/** What led to a run, back to what began it, and how it came out. */
export function RunCause({ run }: { readonly run: RunView }): ReactNode {
  return (
    <>
      <Section title="What led to it">
        <ol aria-label="Causes, nearest first" className="ml-1.5 flex flex-col border-line border-l pl-5">
          {run.chain.map(({ seq, sentence }, at) => (
            <li
              key={seq}
              className="relative py-1.5 before:absolute before:top-3 before:-left-6 before:size-2 before:rounded-full before:border-2 before:border-canvas before:bg-accent before:outline before:outline-accent"
            >
              {sentence} <EntryLink seq={seq} />
              {at === run.chain.length - 1 && at > 0 && (
                <span className="text-ink-faint text-xs"> · what began it</span>
              )}
            </li>
          ))}
        </ol>
      </Section>
      <Section title="Wakes">
        <ul aria-label="Wakes" className="divide-y divide-line rounded-lg border border-line bg-surface">
          {run.wakes.map(({ id, source, reason, createdAt, causeSeq }) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2.5">
              <span className="min-w-48 flex-1 break-words">{reason}</span>
              <span className="text-ink-faint text-sm">
                {wordsOf(source)} · <Moment at={createdAt} />
                {causeSeq !== null && (
                  <>
                    {" · "}
                    <EntryLink seq={causeSeq} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Details">
        <Card className="p-5">
          <Facts facts={detailsOf(run)} />
        </Card>
      </Section>
    </>
  );
}

/** The way to an entry of the log, with everything that came of its cause. */
function EntryLink({ seq }: { readonly seq: number }): ReactNode {
  const { issuePrefix } = useCompany();
  return (
    <Link
      to="/$prefix/activity"
      params={{ prefix: issuePrefix }}
      search={{ entry: String(seq) }}
      aria-label={`Entry #${seq} of the log`}
      className="text-accent text-xs tabular-nums hover:underline"
    >
      #{seq}
    </Link>
  );
}

function detailsOf(run: RunView): readonly (readonly [string, ReactNode])[] {
  const { attempt, retryOf, revision, usage, exitCode, signal, createdAt, startedAt, finishedAt, cause } = run;
  const tokens = (count: number): string => count.toLocaleString("en");
  return [
    ["Attempt", retryOf === null ? attempt : <AttemptOf key="attempt" attempt={attempt} runId={retryOf} />],
    ["Revision", revision === null ? "Not claimed yet" : revision.number],
    ["Waited", lasted(createdAt, startedAt ?? finishedAt ?? new Date().toISOString())],
    ["Took", startedAt === null ? "—" : lasted(startedAt, finishedAt ?? new Date().toISOString())],
    ["Tokens in", `${tokens(usage.inputTokens)} (${tokens(usage.cachedInputTokens)} cached)`],
    ["Tokens out", tokens(usage.outputTokens)],
    ["Cost", <Money key="cost" cents={usage.costCents} />],
    ["Ended as", cause === null ? "—" : wordsOf(cause.code)],
    ["Exit", signal ?? exitCode ?? "—"],
    [
      "Id",
      <code key="id" className="font-mono text-xs">
        {run.id}
      </code>,
    ],
  ];
}

function AttemptOf({ attempt, runId }: { readonly attempt: number; readonly runId: string }): ReactNode {
  const { issuePrefix: prefix } = useCompany();
  return (
    <>
      {attempt}, after{" "}
      <Link to="/$prefix/runs/$runId" params={{ prefix, runId }} search={{}} className="text-accent hover:underline">
        the one before
      </Link>
    </>
  );
}
