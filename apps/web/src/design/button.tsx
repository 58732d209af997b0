import type { ButtonHTMLAttributes, ReactNode } from "react";
import { classes } from "./classes.ts";

const looks = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong border-transparent",
  plain: "bg-surface text-ink hover:bg-hover border-line",
  quiet: "bg-transparent text-ink-soft hover:bg-hover hover:text-ink border-transparent",
  danger: "bg-surface text-bad hover:bg-bad-soft border-line",
} as const;

/** How a button or a link that looks like one looks. */
export const buttonClass = (look: keyof typeof looks = "plain", more = ""): string =>
  classes(
    "inline-flex h-9 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border px-3",
    "text-sm font-medium no-underline transition-colors duration-100 disabled:opacity-50 md:h-8",
    looks[look],
    more,
  );

/** Something to press. While `busy` it waits for what it began, and cannot be pressed again. */
export function Button({
  look = "plain",
  busy = false,
  icon,
  children,
  className = "",
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: keyof typeof looks;
  readonly busy?: boolean;
  readonly icon?: ReactNode;
}): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled === true || busy}
      aria-busy={busy}
      className={buttonClass(look, className)}
    >
      {icon}
      {children}
    </button>
  );
}

/** A button that is only a picture; its label is read out and shown as a hint. */
export function IconButton({
  label,
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly label: string }): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className="inline-flex size-9 items-center justify-center rounded-md text-ink-soft hover:bg-hover hover:text-ink md:size-8"
    >
      {children}
    </button>
  );
}
