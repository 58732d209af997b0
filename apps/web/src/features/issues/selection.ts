import type { Issue } from "@roster/client";
import { useState } from "react";

/** Issues that were selected, to be changed together. */
export interface Selection {
  readonly issues: ReadonlyMap<string, Issue>;
  readonly toggle: (issue: Issue) => void;
  readonly remove: (ids: readonly string[]) => void;
  readonly clear: () => void;
}

/** Nothing at first; what is selected stays so while the list changes. */
export function useSelection(): Selection {
  const [issues, setIssues] = useState<ReadonlyMap<string, Issue>>(new Map());
  const change = (edit: (map: Map<string, Issue>) => void): void =>
    setIssues((before) => {
      const after = new Map(before);
      edit(after);
      return after;
    });
  return {
    issues,
    toggle: (issue) => change((map) => void (map.delete(issue.id) || map.set(issue.id, issue))),
    remove: (ids) =>
      change((map) => {
        for (const id of ids) map.delete(id);
      }),
    clear: () => setIssues(new Map()),
  };
}
