import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";

/** Keys, and what each of them does. */
export type KeyWords = readonly (readonly [keys: string, what: string])[];

/** Says which keys a page has. */
export function KeysSheet({ keys, onClose }: { readonly keys: KeyWords; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-5 gap-y-2.5 text-sm">
        {keys.map(([names, what]) => (
          <div key={names} className="contents">
            <dt className="flex flex-wrap gap-1">
              {names.split(" ").map((name) => (
                <kbd
                  key={name}
                  className="min-w-6 rounded-sm border border-line bg-sunken px-1.5 text-center font-sans text-xs leading-5"
                >
                  {name}
                </kbd>
              ))}
            </dt>
            <dd className="text-ink-soft">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
