import { type ReactNode, useId } from "react";

interface Parts {
  /** What the choices that exclude each other have in common. */
  readonly group: string;
  readonly value: string;
  readonly checked: boolean;
  readonly onChoose: () => void;
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
}

/** One of several choices, with what it means. Arrow keys go from one to the next. */
export function ChoiceCard({ group, value, checked, onChoose, title, aside, children }: Parts): ReactNode {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className="flex cursor-pointer items-start gap-3 rounded-md border border-line px-3 py-2.5 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft/50"
    >
      <input
        id={id}
        type="radio"
        name={group}
        value={value}
        checked={checked}
        onChange={onChoose}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-said`}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex min-h-5.5 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span id={`${id}-title`} className="font-medium text-sm">
            {title}
          </span>
          {aside}
        </span>
        <span id={`${id}-said`} className="text-ink-soft text-xs">
          {children}
        </span>
      </span>
    </label>
  );
}
