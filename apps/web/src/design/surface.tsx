import { type ReactNode, type Ref, useEffect } from "react";
import { classes } from "./classes.ts";

/** Things that belong together, on a surface of their own. */
export function Card({
  children,
  className = "",
}: {
  readonly children: ReactNode;
  readonly className?: string;
}): ReactNode {
  return <div className={classes("rounded-lg border border-line bg-surface", className)}>{children}</div>;
}

/** A part of a page, with its heading. */
export function Section({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="flex min-w-0 flex-col gap-2.5">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h2 className="font-semibold text-base">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Rows, one below the other, with a line between. */
export function Rows({
  label,
  ref,
  children,
}: {
  readonly label: string;
  readonly ref?: Ref<HTMLUListElement>;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <ul
      ref={ref}
      aria-label={label}
      className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface"
    >
      {children}
    </ul>
  );
}

/** Names and what they stand for. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="grid grid-cols-[minmax(6.5rem,auto)_minmax(0,1fr)] gap-x-5 gap-y-2 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-faint">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The head of a page: where one is, what can be done. */
export function PageHead({
  title,
  name,
  above,
  aside,
  children,
}: {
  readonly title: ReactNode;
  /** What the page is called in the browser, where its title is more than text. */
  readonly name?: string;
  readonly above?: ReactNode;
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  const called = name ?? (typeof title === "string" ? title : "");
  useEffect(() => {
    document.title = called === "" ? "Roster" : `${called} · Roster`;
  }, [called]);
  return (
    <header className="flex flex-col gap-2">
      {above !== undefined && <div className="text-ink-faint text-sm">{above}</div>}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="min-w-0 break-words font-semibold text-xl tracking-tight">{title}</h1>
        {aside !== undefined && <div className="flex flex-wrap items-center gap-2">{aside}</div>}
      </div>
      {children}
    </header>
  );
}

/** Nothing is here, and what can be done about it. */
export function EmptyState({
  icon,
  title,
  children,
}: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-line border-dashed px-6 py-12 text-center">
      <span className="text-ink-faint" aria-hidden="true">
        {icon}
      </span>
      <p className="font-medium">{title}</p>
      <div className="max-w-md text-ink-soft text-sm">{children}</div>
    </div>
  );
}

/** A placeholder while something is asked for the first time. */
export function Waiting(): ReactNode {
  return (
    <div role="status" className="py-10 text-center text-ink-faint text-sm">
      Loading…
    </div>
  );
}
