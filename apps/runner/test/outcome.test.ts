import { outcome as outcomeSchema } from "@roster/contract";
import { expect, it } from "vitest";
import type { Ending, EndReason } from "../src/ending.ts";
import { outcomeOf } from "../src/holding/run-outcome.ts";

const limits = { startSec: 60, silenceSec: 1800, wallSec: 14_400, graceSec: 10 };
const byItself: Ending = { exitCode: null, signal: null, lost: false, reason: null };
const opinion = { code: "ok", message: "The adapter's opinion.", retryAfterSec: 5 } as const;
const nowMs = 1_800_000_000_000;

it.each([
  ["by itself is what the adapter makes of it", { exitCode: 0 }, null, { code: "ok", retryAfterSec: 5 }],
  [
    "by itself just as it was cancelled is cancelled",
    { exitCode: 0, reason: "cancelled" },
    null,
    { code: "cancelled" },
  ],
  ["by a limit that it passed while it ended", { exitCode: 0 }, "output_limit", { code: "output_limit", limit: null }],
  ["by its wall clock", { signal: "SIGTERM" }, "wall", { code: "timed_out", limit: "wall" }],
  ["by its silence", { signal: "SIGKILL" }, "silence", { code: "timed_out", limit: "silence" }],
  ["by its budget", { signal: "SIGTERM" }, "budget_exhausted", { code: "budget_exhausted" }],
  ["by a stop of the service", { exitCode: 143 }, "service_stop", { code: "service_stop", exitCode: 143 }],
  ["without a server", { signal: "SIGTERM" }, "orphaned", { code: "runner_lost", signal: "SIGTERM" }],
  ["by somebody else's kill", { signal: "SIGKILL", lost: true }, null, { code: "agent_error", signal: "SIGKILL" }],
] as const)("an end %s", (_name, ending: Partial<Ending>, reason: EndReason | null, expected) => {
  const ended = { ...byItself, ...ending };
  const outcome = outcomeOf({ ending: ended, reason: ended.reason ?? reason, limits, opinion, nowMs });
  expect(outcome).toMatchObject({ ...expected, message: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(outcomeSchema.parse(outcome)).toEqual(outcome);
});

it("an end that left processes which cannot be ended says which", () => {
  const ending = { ...byItself, exitCode: 0, survivors: [12, 34] };
  const { code, message } = outcomeOf({ ending, reason: null, limits, opinion, nowMs });
  expect(code).toBe("ok");
  expect(message).toBe("The adapter's opinion. Processes that it left could not be ended: 12, 34.");
});

it("a provider that names a time is waited for until then, and no longer than a week", () => {
  const ending = { ...byItself, exitCode: 1 };
  const waitFor = (afterSec: number) => {
    const limited = { code: "rate_limited", message: "Refused.", retryAtMs: nowMs + afterSec * 1000 } as const;
    return outcomeOf({ ending, reason: null, limits, opinion: limited, nowMs }).retryAfterSec;
  };
  expect([waitFor(90.2), waitFor(-5), waitFor(10_000_000)]).toEqual([91, 0, 604_800]);
});
