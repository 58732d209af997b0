import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Refusal } from "./refusal.tsx";

/** Asks before something is done that cannot be taken back, or that others feel. */
export function Confirm({
  title,
  verb,
  busy,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  /** What the button says that does it. */
  readonly verb: string;
  readonly busy: boolean;
  readonly error: unknown;
  onConfirm(): void;
  onClose(): void;
  /** What comes of it. */
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <div className="text-ink-soft">{children}</div>
        <Refusal error={error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Not now</Button>
          <Button look="danger" busy={busy} onClick={onConfirm}>
            {verb}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
