import { localBoardUserId } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { Missing, Refusal } from "../../platform/refusal.ts";
import { findMemberName, hasMembers } from "../companies/index.ts";
import { type Colleague, getColleague, type IssueRow } from "./store.ts";

/** Who is to do an issue: an agent, a person, or nobody. */
export type Assignee = Pick<IssueRow, "assigneeAgentId" | "assigneeUserId">;
/** Who should: what is not named stays, and to name one kind takes the issue from the other. */
export type AssigneeWish = { readonly [K in keyof Assignee]?: Assignee[K] | undefined };

/** Nobody is to do it. */
export const nobody: Assignee = { assigneeAgentId: null, assigneeUserId: null };

/** The assignee after a wish. Pure. */
export function assigneeAfter(present: Assignee, wish: AssigneeWish): Assignee {
  if (typeof wish.assigneeAgentId === "string") return { ...nobody, assigneeAgentId: wish.assigneeAgentId };
  if (typeof wish.assigneeUserId === "string") return { ...nobody, assigneeUserId: wish.assigneeUserId };
  return {
    assigneeAgentId: wish.assigneeAgentId === undefined ? present.assigneeAgentId : null,
    assigneeUserId: wish.assigneeUserId === undefined ? present.assigneeUserId : null,
  };
}

/** True where both name the same. Pure. */
export const isSameAssignee = (one: Assignee, other: Assignee): boolean =>
  one.assigneeAgentId === other.assigneeAgentId && one.assigneeUserId === other.assigneeUserId;

/**
 * Refuses an assignment that may not be: to whom there is not, to an agent that can take no work, or by an agent that
 * has no say over who gives or gets it. `colleague` is the locked agent that gets it.
 */
export async function requireAssignment(
  change: Change,
  present: Assignee,
  next: Assignee,
  colleague: Colleague | null,
): Promise<void> {
  const { assigneeAgentId, assigneeUserId } = next;
  if (assigneeAgentId !== null && colleague === null) throw new Missing("agent", assigneeAgentId, "assigneeAgentId");
  if (assigneeUserId !== null && !(await isKnownPerson(change, assigneeUserId))) {
    throw new Missing("user", assigneeUserId, "assigneeUserId");
  }
  await requireSay(change, present, next, colleague);
  if (colleague !== null) requireAssignable(colleague);
}

/** People are the members of the company; before there are any, the local board is there alone. */
async function isKnownPerson(change: Change, userId: string): Promise<boolean> {
  const { caller } = change;
  if (caller.kind === "board" && caller.userId === userId) return true;
  if (userId === localBoardUserId) return !(await hasMembers(change));
  return (await findMemberName(change, userId)) !== null;
}

/**
 * An agent passes on its own work and what is nobody's, to itself and down its reporting line; more needs the right to.
 */
async function requireSay(
  change: Change,
  present: Assignee,
  next: Assignee,
  colleague: Colleague | null,
): Promise<void> {
  const { caller } = change;
  if (caller.kind !== "agent" || caller.permissions.canAssignTasks) return;
  if (next.assigneeUserId !== null || present.assigneeUserId !== null) throw noSay("a person");
  if (colleague !== null && colleague.id !== caller.agentId && !colleague.reportsToCaller) throw noSay(colleague.name);
  if (present.assigneeAgentId === null || present.assigneeAgentId === caller.agentId) return;
  const giver = await getColleague(change, present.assigneeAgentId);
  if (!giver.reportsToCaller) throw noSay(giver.name);
}

const noSay = (whose: string): Refusal =>
  new Refusal(
    "forbidden",
    `This agent assigns work to itself and those who report to it; for work of ${whose} it needs canAssignTasks.`,
  );

/** Refuses an agent that can take no work, whoever asks. Paused by its budget or a breaker it can: the work waits. */
export function requireAssignable({ name, status, pauseReason }: Colleague): void {
  if (status === "pending_approval") {
    throw new Refusal(
      "agent_pending_approval",
      `${name} waits for approval; work can be given to it once it is approved.`,
    );
  }
  if (status === "terminated") throw new Refusal("agent_terminated", `${name} is terminated; it takes no work.`);
  if (status === "paused" && pauseReason === "board") {
    throw new Refusal("agent_paused", `${name} is paused by the board; resume it before giving it work.`);
  }
}

/** Tells the log who an issue is given to; answers the entry's id. Every assignment comes through here. */
export function recordAssignment(change: Change, issue: IssueRow, colleague: Colleague | null): string {
  const { identifier, title, assigneeAgentId: agentId, assigneeUserId: userId } = issue;
  const assignee = colleague?.name ?? (userId === null ? "nobody" : "the board");
  return change.record("issue.assigned", issue.id, { identifier, title, agentId, userId, assignee });
}
