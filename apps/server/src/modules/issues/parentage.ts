import type { Change } from "../../platform/change.ts";
import { Refusal } from "../../platform/refusal.ts";
import { isPartOf, lockTree } from "./store.ts";

/**
 * Refuses a parent that is a part of the issue itself. Moves inside the tree take turns, so that two of them cannot
 * close a circle together.
 */
export async function requireParent(change: Change, parentId: string, issueId: string): Promise<void> {
  await lockTree(change);
  if (!(await isPartOf(change, parentId, issueId))) return;
  throw new Refusal("parent_cycle", "The parent is a part of this issue, so this issue cannot be a part of it.", {
    details: [{ path: "parentId", message: "would make a circle" }],
  });
}
