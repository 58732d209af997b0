import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { buttonClass } from "../design/button.tsx";
import { PageHead } from "../design/surface.tsx";

/** Nothing is at an address. */
export function NoPage(): ReactNode {
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-5 px-4">
      <PageHead title="There is no page here">
        <p className="text-ink-soft">The address may be mistyped, or of a company that you cannot see.</p>
      </PageHead>
      <Link to="/" className={buttonClass("primary", "self-start")}>
        Go to what needs you
      </Link>
    </main>
  );
}
