import type { ReactNode } from "react";
import { Card } from "../../design/surface.tsx";

/** What is around a way in. */
export function EntryFrame({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-5 px-4 py-10">
      <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
      <Card className="p-6">{children}</Card>
    </main>
  );
}
