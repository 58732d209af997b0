import { Toast } from "radix-ui";
import { type ReactNode, useSyncExternalStore } from "react";

interface Message {
  readonly id: number;
  readonly text: string;
}

/** What was said and not yet gone. It lives in this page alone. */
let messages: readonly Message[] = [];
let count = 0;
const listeners = new Set<() => void>();

function set(next: readonly Message[]): void {
  messages = next;
  for (const heard of listeners) heard();
}

/** Says in passing that something was done. What went wrong is said where it was tried, and stays there. */
export function toast(text: string): void {
  count += 1;
  set([...messages, { id: count, text }]);
}

function listen(heard: () => void): () => void {
  listeners.add(heard);
  return () => void listeners.delete(heard);
}

/** Where messages appear. */
export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(listen, () => messages);
  return (
    <Toast.Provider duration={4000} swipeDirection="down">
      {shown.map(({ id, text }) => (
        <Toast.Root
          key={id}
          onOpenChange={(open) => !open && set(messages.filter((message) => message.id !== id))}
          className="rounded-md bg-ink px-3.5 py-2.5 text-canvas text-sm shadow-raised"
        >
          <Toast.Title>{text}</Toast.Title>
        </Toast.Root>
      ))}
      <Toast.Viewport
        label="Messages ({hotkey})"
        className="fixed right-4 bottom-20 z-50 flex max-w-sm flex-col gap-2 md:bottom-4"
      />
    </Toast.Provider>
  );
}
