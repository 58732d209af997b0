import type { ReactNode } from "react";
import { Button } from "../design/button.tsx";
import { Refusal } from "../design/refusal.tsx";

/** Nothing can be shown before something is answered, and it was not; the same can be asked again. */
export function NotThere({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }): ReactNode {
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center gap-4 px-4">
      <h1 className="font-semibold text-xl">Roster cannot be shown now</h1>
      <Refusal error={error} />
      <Button className="self-start" onClick={onRetry}>
        Try again
      </Button>
    </main>
  );
}
