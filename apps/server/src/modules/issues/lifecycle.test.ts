import { issueStatuses } from "@roster/contract";
import { describe, expect, test } from "vitest";
import { nextState } from "../../platform/lifecycle.ts";
import { type IssueStatus, issueLifecycle, type Milestones, milestonesAt } from "./lifecycle.ts";

const now = new Date("2026-11-20T12:00:00.000Z");
const earlier = new Date("2026-11-01T12:00:00.000Z");
const begun = { startedAt: earlier, completedAt: null };
const ended = { startedAt: earlier, completedAt: earlier };

describe("the lifecycle of an issue", () => {
  /** From a state: the states a change leads to. */
  const table: Record<IssueStatus, IssueStatus[]> = {
    backlog: ["todo", "in_progress", "blocked", "done", "cancelled"],
    todo: ["backlog", "in_progress", "in_review", "blocked", "done", "cancelled"],
    in_progress: ["backlog", "todo", "in_review", "blocked", "done", "cancelled"],
    in_review: ["backlog", "todo", "in_progress", "blocked", "done", "cancelled"],
    blocked: ["backlog", "todo", "in_progress", "in_review", "done", "cancelled"],
    done: ["backlog", "todo", "in_progress"],
    cancelled: ["backlog", "todo", "in_progress"],
  };

  test.each(Object.entries(table))("from %s a change leads to what the table says, and nowhere else", (from, to) => {
    const reached = issueStatuses.filter(
      (status) => nextState(issueLifecycle, status, from as IssueStatus) !== undefined,
    );
    expect(reached).toEqual(to);
  });

  test.each(issueStatuses)("every move named after a state leads there: %s", (status) => {
    expect(issueLifecycle.moves[status].to).toBe(status);
  });

  test("open work is checked out into progress, and what is in progress is to do once released", () => {
    const after = (move: "checkout" | "release") => issueStatuses.map((from) => nextState(issueLifecycle, move, from));
    expect(after("checkout")).toEqual([...Array<string>(5).fill("in_progress"), undefined, undefined]);
    expect(after("release")).toEqual([undefined, undefined, "todo", undefined, undefined, undefined, undefined]);
  });
});

describe("the milestones of an issue", () => {
  const nothing = { startedAt: null, completedAt: null };
  test.each<{ what: string; status: IssueStatus; present: Milestones; expected: Milestones }>([
    { what: "never begun", status: "todo", present: nothing, expected: nothing },
    { what: "begun", status: "in_progress", present: nothing, expected: { startedAt: now, completedAt: null } },
    { what: "begun again", status: "in_progress", present: begun, expected: begun },
    { what: "put back", status: "todo", present: begun, expected: begun },
    { what: "done", status: "done", present: begun, expected: { startedAt: earlier, completedAt: now } },
    { what: "done, never begun", status: "done", present: nothing, expected: { startedAt: null, completedAt: now } },
    { what: "still done", status: "done", present: ended, expected: ended },
    { what: "cancelled", status: "cancelled", present: nothing, expected: { startedAt: null, completedAt: now } },
    { what: "reopened", status: "todo", present: ended, expected: begun },
    { what: "reopened into progress", status: "in_progress", present: ended, expected: begun },
  ])("$what", ({ status, present, expected }) => {
    expect(milestonesAt(status, present, now)).toEqual(expected);
  });
});
