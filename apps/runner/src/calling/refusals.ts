import { Refused, Unanswered } from "@roster/client";

const staleCodes = new Set<string>(["stale_lease", "not_found", "run_ended"]);
const unfitStatuses = new Set([400, 413, 415, 422]);

/** The run is no longer ours to speak for. */
export function isStale(error: unknown): boolean {
  return error instanceof Refused && staleCodes.has(error.code);
}

/** What was sent is refused as it is; sent again, it would be again. */
export function isUnfit(error: unknown): boolean {
  return error instanceof Refused && unfitStatuses.has(error.status);
}

/** The token is not taken. A credential of a run that is over is something else. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof Refused && error.status === 401 && error.code !== "run_ended";
}

/** A sentence for the log; says nothing of what was sent. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refused) return `${error.status} ${error.code}: ${error.message}`;
  if (error instanceof Unanswered) return error.reason;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.code ?? (error.name === "ZodError" ? "The answer is not what the contract says." : error.message);
}
