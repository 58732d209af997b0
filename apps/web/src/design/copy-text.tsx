import { Check, Copy } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { Button } from "./button.tsx";

/** A text to be taken elsewhere, whole: by its button, or by hand where the browser lets no button copy. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  const id = useId();
  const ref = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    ref.current?.select();
    // Pages that did not come over an encrypted connection have no clipboard; the text is selected then.
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex min-w-0 items-start gap-2">
        <textarea
          ref={ref}
          id={id}
          readOnly
          rows={1}
          value={text}
          onFocus={({ target }) => target.select()}
          className="field-sizing-content max-h-40 min-h-9 min-w-0 flex-1 resize-none wrap-anywhere rounded-md border border-line bg-sunken px-2.5 py-1.5 font-mono text-sm"
        />
        <Button
          onClick={() => void copy()}
          aria-label={`${isCopied ? "Copied" : "Copy"}: ${label}`}
          className="h-9 md:h-9"
          icon={isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
        >
          {isCopied ? "Copied" : "Copy"}
        </Button>
      </div>
    </div>
  );
}
