import { Refused, Unanswered } from "@roster/client";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** What is wrong with a field, of what the service refused; a path in details is that of the body. Pure. */
export function wrongAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof Refused)) return undefined;
  return error.details.find((detail) => detail.path === path)?.message;
}

interface RefusalParts {
  readonly error: unknown;
  /** Fields that say themselves what is wrong with them. */
  readonly saidAt?: readonly string[];
  readonly children?: ReactNode;
}

/** Why something did not work: the service's own sentence, what would be right, and what to ask support with. */
export function Refusal({ error, saidAt = [], children }: RefusalParts): ReactNode {
  if (error === null || error === undefined) return null;
  return (
    <div role="alert" className="flex gap-2.5 rounded-md border border-bad/30 bg-bad-soft px-3 py-2.5 text-bad text-sm">
      <TriangleAlert size={16} className="mt-0.5 shrink-0" aria-hidden="true" />
      <div className="flex min-w-0 flex-col gap-1">
        <p>{sentenceOf(error)}</p>
        {error instanceof Refused && <Details refused={error} saidAt={saidAt} />}
        {children}
      </div>
    </div>
  );
}

function Details({ refused, saidAt }: { readonly refused: Refused; readonly saidAt: readonly string[] }): ReactNode {
  const details = refused.details.filter(({ path }) => !saidAt.includes(path));
  return (
    <>
      {details.length > 0 && (
        <ul className="list-disc pl-4">
          {details.map(({ path, message, allowed }) => (
            <li key={`${path} ${message}`}>
              <code className="font-mono text-xs">{path}</code> {message}
              {allowed !== undefined && allowed.length > 0 && `: ${allowed.join(", ")}`}
            </li>
          ))}
        </ul>
      )}
      <p className="font-mono text-xs">{`${refused.code} · ${refused.requestId}`}</p>
    </>
  );
}

function sentenceOf(error: unknown): string {
  if (error instanceof Unanswered) {
    return "Roster did not answer. Nothing that you typed is lost; try again when it is back.";
  }
  return error instanceof Error ? error.message : String(error);
}
