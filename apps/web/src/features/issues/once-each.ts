import type { Issue } from "@roster/client";

/**
 * Each issue once, as it was last: lists that are asked one after the other may both have one that moved meanwhile. Pure.
 */
export function onceEach<T extends Pick<Issue, "id" | "updatedAt"> | null>(issues: readonly T[]): readonly T[] {
  const newest = new Map<string, T>();
  for (const issue of issues) {
    if (issue === null) continue;
    const other = newest.get(issue.id);
    if (other === undefined || other === null || other.updatedAt < issue.updatedAt) newest.set(issue.id, issue);
  }
  return issues.filter((issue) => issue === null || newest.get(issue.id) === issue);
}
