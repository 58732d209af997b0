import { type InputHTMLAttributes, type ReactNode, useId } from "react";

/** Yes or no, with what it means. */
export function Checkbox({
  label,
  hint,
  ...rest
}: { readonly label: string; readonly hint?: ReactNode } & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  const id = useId();
  return (
    <div className="flex gap-2.5">
      <input
        {...rest}
        id={id}
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent"
        {...(hint !== undefined && { "aria-describedby": `${id}-said` })}
      />
      <div className="flex min-w-0 flex-col">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-said`} className="text-ink-faint text-xs">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
