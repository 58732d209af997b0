import type { Body, contract } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { requireVersion } from "../../platform/edit.ts";
import { nextState, wrongState } from "../../platform/lifecycle.ts";
import { Missing, Refusal } from "../../platform/refusal.ts";
import { isSameAssignee, nobody, recordAssignment, requireAssignable } from "./assignment.ts";
import { type Holder, standingOf } from "./checkout.ts";
import { issueLifecycle, milestonesAt } from "./lifecycle.ts";
import { type Colleague, getColleague, type IssueRow, lockGround, lockIssue, updateIssue } from "./store.ts";

type Wish = Body<typeof contract.issues.checkout>;

/**
 * Gives an issue into one agent's hands: of many that ask at once one gets it. It becomes that agent's to do and is in
 * progress. To ask again for what one holds already changes nothing.
 */
export async function checkOutIssue(
  change: Change,
  target: { issueId: string; ifMatch: number | null },
  wish: Wish,
): Promise<IssueRow> {
  const { agent } = await lockGround(change, wish.agentId);
  const row = await lockIssue(change, target.issueId);
  if (agent === null) throw new Missing("agent", wish.agentId, "agentId");
  const asking = askingFor(change, agent);
  const standing = standingOf(holderOf(row), asking);
  if (standing === "held") throw await heldBy(change, row);
  const working = row.status === "in_progress";
  if (standing === "own" && working) return row;
  if (standing === "adopted" && working) return take(change, row, { asking, agent });
  requireVersion(row.version, target.ifMatch);
  requireOffered(change, row);
  requireAssignable(agent);
  requireExpected(row, wish.expectedStatuses);
  return take(change, row, { asking, agent });
}

function askingFor({ caller }: Change, agent: Colleague): Holder {
  if (caller.kind !== "agent") return { agentId: agent.id, runId: null };
  if (caller.agentId !== agent.id) throw new Refusal("forbidden", "An agent checks out issues only for itself.");
  return { agentId: agent.id, runId: caller.runId ?? null };
}

/** Who holds an issue, by its row; null where nobody does or the checkout has run out. */
function holderOf({ held, checkoutAgentId: agentId, checkoutRunId: runId }: IssueRow): Holder | null {
  return held && agentId !== null ? { agentId, runId } : null;
}

async function heldBy(change: Change, row: IssueRow): Promise<Refusal> {
  const { name, id } = await getColleague(change, row.checkoutAgentId ?? "");
  const since = row.checkoutAt?.toISOString() ?? "";
  const run = row.checkoutRunId === null ? "" : ` in run ${row.checkoutRunId}`;
  return new Refusal("checkout_held", `${name} is working on ${row.identifier}; take other work or ask it.`, {
    details: [
      { path: "checkout", message: `is held by ${name}${run} since ${since}` },
      { path: "checkout.agentId", message: `is ${id}` },
    ],
  });
}

function requireOffered({ caller }: Change, row: IssueRow): void {
  if (caller.kind !== "agent" || row.assigneeAgentId === caller.agentId || isSameAssignee(row, nobody)) return;
  throw new Refusal(
    "forbidden",
    `${row.identifier} is assigned to someone else; an agent checks out its own work or what is nobody's.`,
  );
}

function requireExpected(row: IssueRow, expected: Wish["expectedStatuses"]): void {
  if (!expected.includes(row.status)) {
    throw new Refusal("wrong_state", `${row.identifier} is ${row.status}, not ${expected.join(" or ")}.`, {
      details: [{ path: "status", message: `is ${row.status}`, allowed: [...expected] }],
    });
  }
  if (nextState(issueLifecycle, "checkout", row.status) === undefined) {
    throw wrongState(issueLifecycle, "checkout", row.status);
  }
}

async function take(
  change: Change,
  row: IssueRow,
  { asking, agent }: { asking: Holder; agent: Colleague },
): Promise<IssueRow> {
  const status = issueLifecycle.moves.checkout.to;
  const assignee = { ...nobody, assigneeAgentId: agent.id };
  const same = row.status === status && isSameAssignee(row, assignee);
  const edit = same ? {} : { ...assignee, status, ...milestonesAt(status, row, change.now) };
  const taken = await updateIssue(change, row, edit, asking);
  const { identifier, title } = taken;
  const details = { identifier, title, agentId: agent.id, agentName: agent.name, from: row.status };
  change.record("issue.checked_out", row.id, details);
  if (!isSameAssignee(row, taken)) recordAssignment(change, taken, agent);
  return taken;
}
