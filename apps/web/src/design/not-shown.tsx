import type { ReactNode } from "react";
import { Refusal } from "./refusal.tsx";
import { PageHead } from "./surface.tsx";

interface NotShownParts {
  readonly error: unknown;
  /** What the page would show: "This run". */
  readonly what: string;
}

/** A page whose subject was not answered, and why. */
export function NotShown({ error, what }: NotShownParts): ReactNode {
  return (
    <>
      <PageHead title={`${what} cannot be shown`} />
      <Refusal error={error} />
    </>
  );
}
