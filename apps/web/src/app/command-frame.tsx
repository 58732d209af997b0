import { Command } from "cmdk";
import { type ReactNode, useEffect, useRef, useState } from "react";

/** How something that can be chosen looks. */
export const commandItemClass =
  "flex h-10 cursor-pointer items-center gap-3 rounded-md px-3 text-sm data-[selected=true]:bg-hover md:h-9";

/** A list over the page of which one thing is chosen by typing; Escape closes it. */
export function CommandFrame({
  label,
  placeholder,
  onClose,
  onType,
  children,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly onClose: () => void;
  readonly onType?: (typed: string) => void;
  readonly children: ReactNode;
}): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  useEffect(() => {
    if (ref.current?.open === false) ref.current.showModal();
  }, []);
  const type = (text: string): void => {
    setTyped(text);
    onType?.(text);
  };
  return (
    <dialog
      ref={ref}
      aria-label={label}
      onClose={onClose}
      className="mx-auto mt-[12dvh] w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-lg border border-line bg-raised p-0 shadow-raised"
    >
      <Command label={label} loop>
        <Command.Input
          value={typed}
          onValueChange={type}
          placeholder={placeholder}
          className="h-12 w-full border-line border-b bg-transparent px-4 text-base outline-none placeholder:text-ink-faint"
        />
        <Command.List className="max-h-[50dvh] overflow-auto p-1.5" tabIndex={0}>
          {children}
        </Command.List>
      </Command>
    </dialog>
  );
}
