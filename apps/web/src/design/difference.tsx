import type { Difference, TextDifference } from "@roster/client";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";

/** How two states differ: texts line by line, everything else as before and after. */
export function Differences({
  differences,
  texts,
}: {
  readonly differences: readonly Difference[];
  readonly texts: readonly TextDifference[];
}): ReactNode {
  const shownAsText = new Set(texts.map(({ path }) => path));
  const others = differences.filter(({ path }) => !shownAsText.has(path));
  if (differences.length === 0) return <p className="text-ink-soft text-sm">Nothing differs.</p>;
  return (
    <div className="flex flex-col gap-3">
      {others.length > 0 && <ValueDifferences differences={others} />}
      {texts.map((text) => (
        <UnifiedText key={text.path} text={text} />
      ))}
    </div>
  );
}

function ValueDifferences({ differences }: { readonly differences: readonly Difference[] }): ReactNode {
  return (
    <ul aria-label="What differs" className="divide-y divide-line overflow-hidden rounded-md border border-line">
      {differences.map(({ path, before, after }) => (
        <li key={path} className="grid gap-x-4 gap-y-1 px-3 py-2 text-sm md:grid-cols-[14rem_1fr]">
          <code className="break-all font-mono text-ink-soft text-xs leading-5">{path}</code>
          <span className="flex min-w-0 flex-col gap-1">
            {before !== null && <Side tone="bg-bad-soft text-bad" sign="−" label="before" value={before} />}
            {after !== null && <Side tone="bg-good-soft text-good" sign="+" label="after" value={after} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Side({ tone, sign, label, value }: Record<"tone" | "sign" | "label", string> & { readonly value: unknown }) {
  return (
    <span className={classes("whitespace-pre-wrap break-words rounded-sm px-1.5 font-mono text-xs leading-5", tone)}>
      <span className="sr-only">{label} </span>
      <span aria-hidden="true">{sign} </span>
      {typeof value === "string" ? value : JSON.stringify(value)}
    </span>
  );
}

function UnifiedText({ text: { path, previousPath, unified } }: { readonly text: TextDifference }): ReactNode {
  // The first two lines are the names, which stand above.
  const lines = unified
    .split("\n")
    .filter((line) => !/^(?:---|\+\+\+|===|\\)/.test(line))
    .map((line, number) => ({ line, number }));
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <figcaption className="border-line border-b bg-canvas px-3 py-1.5 font-mono text-ink-soft text-xs">
        {previousPath === null ? path : `${previousPath} → ${path}`}
      </figcaption>
      <pre className="overflow-x-auto py-1 font-mono text-xs leading-5">
        {lines.map(({ line, number }) => (
          <span key={number} className={classes("block px-3", toneOf(line))}>
            {line === "" ? " " : line}
          </span>
        ))}
      </pre>
    </figure>
  );
}

function toneOf(line: string): string {
  if (line.startsWith("+")) return "bg-good-soft text-good";
  if (line.startsWith("-")) return "bg-bad-soft text-bad";
  return line.startsWith("@@") ? "text-ink-faint" : "";
}
