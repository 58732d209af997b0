import { type CauseCode, causeCodes } from "@roster/contract";
import { describe, expect, test } from "vitest";
import { runLifecycle } from "./lifecycle.ts";
import { type Verdict, verdictOf } from "./outcome.ts";

type Row = readonly [status: Verdict["status"], nextActor: Verdict["nextActor"], ...delays: (number | null)[]];

/** By cause: the status, who acts when it is not tried again, and after how long it is after attempts 1, 2 and 3. */
const table: Readonly<Record<CauseCode, Row>> = {
  ok: ["succeeded", "nobody", null, null, null],
  agent_error: ["failed", "board", null, null, null],
  adapter_missing: ["failed", "board", null, null, null],
  adapter_misconfigured: ["failed", "board", null, null, null],
  auth_failed: ["failed", "board", null, null, null],
  rate_limited: ["failed", "board", 60, 60, null],
  timed_out: ["timed_out", "board", null, null, null],
  output_limit: ["failed", "board", null, null, null],
  cancelled: ["cancelled", "nobody", null, null, null],
  service_stop: ["cancelled", "board", 0, 0, 0],
  budget_exhausted: ["failed", "board", 0, 0, null],
  runner_lost: ["lost", "board", 0, 0, null],
  internal: ["failed", "board", 5, 30, null],
};
const retried: readonly CauseCode[] = ["rate_limited", "runner_lost", "internal", "budget_exhausted"];
/** Why the next attempt waits for people. */
const awaited: readonly CauseCode[] = ["budget_exhausted"];
const plain = { retryAfterSec: null, isSpent: false };
const failing: readonly CauseCode[] = ["adapter_missing", "adapter_misconfigured", "auth_failed"];

describe("what follows from the way a run ended", () => {
  test.each(causeCodes)("%s", (code) => {
    const [status, nextActor, ...delays] = table[code];
    delays.forEach((retryAfterSec, index) => {
      expect(verdictOf({ ...plain, code }, index + 1)).toMatchObject({
        status,
        retryAfterSec,
        nextActor: retryAfterSec === null || awaited.includes(code) ? nextActor : "service",
        isSameAttempt: code === "service_stop",
        givesUp: index === 2 && retried.includes(code),
        failsAgent: failing.includes(code),
      });
    });
  });

  test("a provider's limit is waited for as long as the provider said", () => {
    expect(verdictOf({ ...plain, code: "rate_limited", retryAfterSec: 3600 }, 1).retryAfterSec).toBe(3600);
    expect(verdictOf({ ...plain, code: "rate_limited", retryAfterSec: 3600 }, 3).retryAfterSec).toBeNull();
    for (const code of causeCodes.filter((one) => one !== "rate_limited")) {
      const named = verdictOf({ ...plain, code, retryAfterSec: 3600 }, 1);
      expect(named).toEqual(verdictOf({ ...plain, code }, 1));
    }
  });

  test("what costs as much as one run of its agent may is not tried again: another would come to the same end", () => {
    expect(verdictOf({ ...plain, code: "budget_exhausted", isSpent: true }, 1).retryAfterSec).toBeNull();
    expect(verdictOf({ ...plain, code: "internal", isSpent: true }, 1).retryAfterSec).toBe(5);
  });

  test.each(causeCodes)("%s ends a run that was claimed or is running", (code) => {
    const { move, status } = verdictOf({ ...plain, code }, 1);
    expect(runLifecycle.moves[move].to).toBe(status);
    for (const from of ["claimed", "running"]) expect(runLifecycle.moves[move].from).toContain(from);
  });
});
