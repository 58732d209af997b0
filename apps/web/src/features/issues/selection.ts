import type { Issue } from "@roster/client";
import { useMemo, useState } from "react";
import { useMay } from "../../app/may.ts";

/** Issues that were selected, to be changed together. */
export interface Selection {
  readonly issues: ReadonlyMap<string, Issue>;
  /** Whether whoever looks may change issues at all. */
  readonly isOffered: boolean;
  readonly toggle: (issue: Issue) => void;
  readonly remove: (ids: readonly string[]) => void;
  readonly clear: () => void;
}

/** Nothing at first; what is selected stays so while the list changes. */
export function useSelection(): Selection {
  const isOffered = useMay("issues.change");
  const [issues, setIssues] = useState<ReadonlyMap<string, Issue>>(new Map());
  const change = useMemo(() => {
    const edit = (by: (map: Map<string, Issue>) => void): void =>
      setIssues((before) => {
        const after = new Map(before);
        by(after);
        return after;
      });
    return {
      toggle: (issue: Issue) =>
        edit((map) => {
          if (!map.delete(issue.id) && isOffered) map.set(issue.id, issue);
        }),
      remove: (ids: readonly string[]) =>
        edit((map) => {
          for (const id of ids) map.delete(id);
        }),
      clear: () => setIssues(new Map()),
    };
  }, [isOffered]);
  return { issues, isOffered, ...change };
}
