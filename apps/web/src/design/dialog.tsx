import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./button.tsx";
import { classes } from "./classes.ts";

/** A page over the page, as the browser has them: focus stays in it, Escape closes it. */
export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open) return;
    dialog.showModal();
    // Who opens a form wants to write, not to close it.
    dialog.querySelector<HTMLElement>("input, textarea, select")?.focus();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={onClose}
      className={classes(
        "m-auto max-h-[90dvh] w-[calc(100%-2rem)] overflow-auto rounded-lg border border-line bg-raised p-0 shadow-raised",
        wide ? "max-w-3xl" : "max-w-lg",
      )}
    >
      <div className="flex items-center justify-between gap-4 border-line border-b py-2.5 pr-2.5 pl-5">
        <h2 id={id} className="font-semibold text-lg">
          {title}
        </h2>
        <IconButton label="Close" onClick={() => ref.current?.close()}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="p-5">{children}</div>
    </dialog>
  );
}
