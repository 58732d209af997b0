import type { Run } from "@roster/client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { buttonClass } from "../../design/button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Waiting } from "../../design/surface.tsx";
import { useLog } from "./follow-log.ts";

// So near to the end counts as the end.
const nearPixels = 24;
/** What scrolls is reached by the keyboard. */
const byKeyboard = { tabIndex: 0 } as const;

/** What the program printed, as it is; while it runs, as it is printed. */
export function RunLog({ run: { id, log, finishedAt } }: { readonly run: Run }): ReactNode {
  const { text, total, isCut, error, isPending } = useLog(id);
  const isOpen = finishedAt === null;
  if (log.forgotten)
    return <p className="text-ink-soft">Its output was removed after the time for which it is kept.</p>;
  if (isPending) return <Waiting />;
  return (
    <section aria-label="Log" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2 text-ink-faint text-sm">
        <span>
          {total.toLocaleString("en")} bytes{isCut && ", of which this is the end"}
          {log.truncated && "; a part in the middle was left out"}
        </span>
        {total > 0 && (
          <a href={`/api/heartbeat-runs/${id}/log`} download={`run-${id}.log`} className={buttonClass()}>
            Download
          </a>
        )}
      </div>
      <Refusal error={error} />
      {text === "" && !isOpen ? (
        <p className="text-ink-soft">It printed nothing that is not in the transcript.</p>
      ) : (
        <Printed text={text} isOpen={isOpen} />
      )}
    </section>
  );
}

function Printed({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }): ReactNode {
  const box = useRef<HTMLPreElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  useEffect(() => {
    const pre = box.current;
    if (pre !== null && isFollowing) pre.scrollTop = pre.scrollHeight;
  });
  return (
    <>
      {isOpen && (
        <label className="flex items-center gap-2 self-start text-sm">
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={({ target }) => setFollowing(target.checked)}
            className="size-4 accent-(--color-accent)"
          />
          Follow
        </label>
      )}
      <pre
        ref={box}
        {...byKeyboard}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < nearPixels)
        }
        className="max-h-[70dvh] min-h-24 overflow-auto whitespace-pre-wrap break-words rounded-lg bg-sunken p-4 font-mono text-xs leading-5"
      >
        {text === "" ? "It has printed nothing yet." : text}
      </pre>
    </>
  );
}
