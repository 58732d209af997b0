import { agentStatuses, causeCodes } from "@roster/contract";
import { describe, expect, test } from "vitest";
import { courseAfter, type RunEnd } from "./agent-after-run.ts";
import type { AgentCourse } from "./store.ts";

const idle: AgentCourse = { status: "idle", pauseReason: null, failureCode: null, failureCount: 0 };
const end: RunEnd = {
  others: 0,
  code: "ok",
  message: "",
  hasRun: true,
  failsAgent: false,
  cause: { causeId: null, rootId: null, hops: 0 },
};

describe("the course of an agent after a run", () => {
  test.each<[string, Partial<AgentCourse>, Partial<RunEnd>, Partial<AgentCourse>]>([
    ["at work, it rests after its last run", { status: "running" }, {}, { status: "idle" }],
    ["at work, it goes on while others run", { status: "running" }, { others: 1 }, { status: "running" }],
    ["in error, a good run mends it", { status: "error" }, {}, { status: "idle" }],
    ["in error, a good run mends it at work", { status: "error" }, { others: 2 }, { status: "running" }],
    ["in error, another failure leaves it", { status: "error" }, { code: "agent_error" }, { status: "error" }],
    [
      "what cannot work fails it",
      { status: "running" },
      { code: "auth_failed", failsAgent: true },
      { status: "error" },
    ],
    [
      "the third alike trips it",
      { status: "running", failureCode: "timed_out", failureCount: 2 },
      { code: "timed_out" },
      { status: "paused", pauseReason: "breaker", failureCount: 3 },
    ],
    [
      "what never ran says nothing of it",
      { failureCode: "timed_out", failureCount: 2 },
      { code: "timed_out", hasRun: false },
      { status: "idle", failureCount: 2 },
    ],
    ["a good run forgets", { failureCode: "timed_out", failureCount: 2 }, {}, { failureCode: null, failureCount: 0 }],
  ])("%s", (_, before, ending, after) => {
    expect(courseAfter({ ...idle, ...before }, { ...end, ...ending })).toMatchObject(after);
  });

  test("paused and terminated it stays, however its runs end", () => {
    for (const status of agentStatuses.filter((one) => ["paused", "terminated", "pending_approval"].includes(one))) {
      for (const code of causeCodes) {
        const before: AgentCourse = { ...idle, status, failureCode: code, failureCount: 5 };
        expect(courseAfter(before, { ...end, code, failsAgent: true }).status).toBe(status);
      }
    }
  });
});
