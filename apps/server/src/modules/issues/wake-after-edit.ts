import type { Change } from "../../platform/change.ts";
import { resolveAttention } from "../attention/index.ts";
import { isClosed } from "./lifecycle.ts";
import { getWhole } from "./reference-store.ts";
import type { IssueRow } from "./store.ts";
import { isToDo, subjectOf, wakeAssignee } from "./wake-assignee.ts";

/** An edit of an issue: how it was and is, and the entries by which it was moved and given to somebody. */
export interface Edited {
  readonly before: IssueRow;
  readonly after: IssueRow;
  readonly moved: string | null;
  readonly assigned: string | null;
}

/**
 * Wakes whom an edit concerns: who is to do the issue, when it becomes theirs to do or is blocked no more; who is to do
 * the whole that it is a part of, when the part is over.
 */
export async function wakeAfterEdit(change: Change, { before, after, moved, assigned }: Edited): Promise<void> {
  const subject = subjectOf(after);
  const given = assigned ?? (isToDo(before) ? null : moved);
  if (given !== null && isToDo(after)) {
    await wakeAssignee(change, after, { source: "assignment", reason: `${subject} is yours to do`, causeId: given });
  } else if (moved !== null && before.status === "blocked" && isToDo(after)) {
    await wakeAssignee(change, after, { source: "unblocked", reason: `${subject} is blocked no more`, causeId: moved });
  }
  if (moved === null || isClosed(before.status) || !isClosed(after.status)) return;
  await resolveAttention(change, { entityIds: [after.id] });
  await wakeForPart(change, after, moved);
}

async function wakeForPart(change: Change, part: IssueRow, causeId: string): Promise<void> {
  if (part.parentId === null) return;
  const { whole, hasOpenParts } = await getWhole(change, part.parentId);
  if (!isToDo(whole)) return;
  const others = hasOpenParts ? "Others of its parts are open." : "All its parts are over.";
  const reason = `${subjectOf(part)}, a part of ${whole.identifier}, is ${part.status}. ${others}`;
  await wakeAssignee(change, whole, { source: "child_done", reason, causeId });
}
