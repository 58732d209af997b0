import { type ReactNode, useSyncExternalStore } from "react";

const units = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

const tickMs = 15_000;

function tick(heard: () => void): () => void {
  const timer = setInterval(heard, tickMs);
  return () => clearInterval(timer);
}

const now = (): number => Math.floor(Date.now() / tickMs) * tickMs;

/** How long ago a moment was, from a moment that moves on by itself. Pure. */
function ago(moment: number, present: number): string {
  const seconds = (moment - present) / 1000;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return "just now";
}

/** A moment, as how long it is ago; exactly when, as its hint. */
export function Moment({ at }: { readonly at: string }): ReactNode {
  const present = useSyncExternalStore(tick, now);
  return (
    <time dateTime={at} title={exact.format(new Date(at))} className="whitespace-nowrap">
      {ago(Date.parse(at), present)}
    </time>
  );
}

/** Time from one moment to another, such as 1 m 5 s. Pure. */
export function lasted(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} m ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** An amount of money. */
export function Money({ cents }: { readonly cents: number }): ReactNode {
  return <span className="tabular-nums">{dollars.format(cents / 100)}</span>;
}

/** What was spent of what may be spent; of no limit, what was spent. */
export function Spending({ spent, budget }: { readonly spent: number; readonly budget: number }): ReactNode {
  if (budget === 0) {
    return (
      <span className="text-ink-soft">
        <Money cents={spent} /> <span className="text-ink-faint">· no limit</span>
      </span>
    );
  }
  return (
    <span className="inline-flex min-w-32 flex-col gap-1">
      <span className="text-ink-soft">
        <Money cents={spent} /> <span className="text-ink-faint">of</span> <Money cents={budget} />
      </span>
      <meter
        min={0}
        max={budget}
        value={Math.min(spent, budget)}
        aria-label="Spent of the budget of this month"
        className="block h-1.5 w-full"
      />
    </span>
  );
}
