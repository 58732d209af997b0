import type { CauseCode, finalRunStatuses, nextActors, Outcome } from "@roster/contract";
import type { runLifecycle } from "./lifecycle.ts";

/** What follows from the way a run ended. */
export interface Verdict {
  readonly status: (typeof finalRunStatuses)[number];
  readonly move: keyof typeof runLifecycle.moves;
  readonly nextActor: (typeof nextActors)[number];
  /** Seconds until it is tried again, as a new run; null when it is not. */
  readonly retryAfterSec: number | null;
  /** The new run is no further attempt: nothing was wrong with this one. */
  readonly isSameAttempt: boolean;
  /** It was tried as often as may be. */
  readonly givesUp: boolean;
  /** Its agent cannot work until somebody mends its configuration. */
  readonly failsAgent: boolean;
}

const mostAttempts = 3;
/** What a provider's limit is waited for where it named no time. */
const rateLimitSec = 60;
const backoffSec = [5, 30] as const;

const ends: Readonly<Record<CauseCode, Pick<Verdict, "status" | "move">>> = {
  ok: { status: "succeeded", move: "succeed" },
  agent_error: { status: "failed", move: "fail" },
  adapter_missing: { status: "failed", move: "fail" },
  adapter_misconfigured: { status: "failed", move: "fail" },
  auth_failed: { status: "failed", move: "fail" },
  rate_limited: { status: "failed", move: "fail" },
  timed_out: { status: "timed_out", move: "time-out" },
  output_limit: { status: "failed", move: "fail" },
  cancelled: { status: "cancelled", move: "cancel" },
  service_stop: { status: "cancelled", move: "cancel" },
  budget_exhausted: { status: "failed", move: "fail" },
  runner_lost: { status: "lost", move: "lose" },
  internal: { status: "failed", move: "fail" },
};

const configurationCauses: readonly CauseCode[] = ["adapter_missing", "adapter_misconfigured", "auth_failed"];
const triedAgain: readonly CauseCode[] = ["runner_lost", "rate_limited", "internal", "budget_exhausted"];
const quietCauses: readonly CauseCode[] = ["ok", "cancelled"];

/** How a run ended, as far as something follows from it. */
type Ending = Pick<Outcome, "code" | "retryAfterSec"> & {
  /** It costs as much as one run of its agent may: another would come to the same end. */
  readonly isSpent: boolean;
};

/** What follows from the ending of a run that was the `attempt`-th: its status, who acts next, whether it is retried. Pure. */
export function verdictOf({ code, retryAfterSec, isSpent }: Ending, attempt: number): Verdict {
  const again = code === "budget_exhausted" && isSpent ? null : retryDelaySec(code, attempt, retryAfterSec);
  const askedOf = quietCauses.includes(code) ? "nobody" : "board";
  return {
    ...ends[code],
    // The new run waits for the board to give its budget room, or for the next month.
    nextActor: again === null || code === "budget_exhausted" ? askedOf : "service",
    retryAfterSec: again,
    isSameAttempt: code === "service_stop",
    givesUp: attempt >= mostAttempts && triedAgain.includes(code),
    failsAgent: configurationCauses.includes(code),
  };
}

function retryDelaySec(code: CauseCode, attempt: number, named: number | null): number | null {
  if (code === "service_stop") return 0;
  if (attempt >= mostAttempts) return null;
  if (code === "runner_lost" || code === "budget_exhausted") return 0;
  if (code === "rate_limited") return named ?? rateLimitSec;
  return code === "internal" ? (backoffSec[attempt - 1] ?? null) : null;
}
