import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { classes } from "./classes.ts";

/** How whatever is typed or chosen in looks. */
const controlClass = (more = ""): string =>
  classes(
    "w-full rounded-md border border-line-strong/70 bg-surface px-2.5 text-base text-ink placeholder:text-ink-faint",
    "hover:border-line-strong focus-visible:outline-offset-0 aria-invalid:border-bad",
    more,
  );

interface FieldParts {
  readonly label: string;
  /** What would be right, before anything is wrong. */
  readonly hint?: ReactNode;
  /** What is wrong with what was given. */
  readonly wrong?: string | undefined;
  /** The label is read out, and not seen. */
  readonly bare?: boolean;
}

interface Wiring {
  readonly id: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby"?: string;
}

function Field({ label, hint, wrong, bare = false, children }: FieldParts & { children(wiring: Wiring): ReactNode }) {
  const id = useId();
  const said = wrong ?? hint;
  const wiring = {
    id,
    "aria-invalid": wrong !== undefined,
    ...(said !== undefined && { "aria-describedby": `${id}-said` }),
  };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={bare ? "sr-only" : "text-sm font-medium"}>
        {label}
      </label>
      {children(wiring)}
      {said !== undefined && (
        <p id={`${id}-said`} className={classes("text-xs", wrong === undefined ? "text-ink-faint" : "text-bad")}>
          {said}
        </p>
      )}
    </div>
  );
}

/** One line of text. */
export function TextField({
  label,
  hint,
  wrong,
  bare,
  ...rest
}: FieldParts & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  return (
    <Field label={label} hint={hint} wrong={wrong} {...(bare && { bare })}>
      {(wiring) => <input autoComplete="off" {...rest} {...wiring} className={controlClass("h-9")} />}
    </Field>
  );
}

/** Text of several lines, which grows with what is written. */
export function TextArea({
  label,
  hint,
  wrong,
  bare,
  className = "",
  ...rest
}: FieldParts & TextareaHTMLAttributes<HTMLTextAreaElement>): ReactNode {
  return (
    <Field label={label} hint={hint} wrong={wrong} {...(bare && { bare })}>
      {(wiring) => (
        <textarea
          rows={3}
          {...rest}
          {...wiring}
          className={controlClass(classes("field-sizing-content max-h-96 min-h-20 py-2", className))}
        />
      )}
    </Field>
  );
}

/** One of several. */
export function Select({
  label,
  hint,
  wrong,
  bare,
  children,
  ...rest
}: FieldParts & SelectHTMLAttributes<HTMLSelectElement>): ReactNode {
  return (
    <Field label={label} hint={hint} wrong={wrong} {...(bare && { bare })}>
      {(wiring) => (
        <div className="relative">
          <select {...rest} {...wiring} className={controlClass("h-9 cursor-pointer appearance-none truncate pr-8")}>
            {children}
          </select>
          <svg
            aria-hidden="true"
            viewBox="0 0 16 16"
            className="pointer-events-none absolute top-2.5 right-2 size-4 stroke-ink-faint"
            fill="none"
            strokeWidth="1.5"
          >
            <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />
          </svg>
        </div>
      )}
    </Field>
  );
}
