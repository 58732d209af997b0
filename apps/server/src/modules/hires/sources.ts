import type { AgentProposal } from "@roster/contract";
import type { Scope } from "../../platform/scope.ts";
import { getReferredIssues, type IssueReference } from "../issues/index.ts";

/** The issues that led to a hire; throws Missing for one the company does not have. */
export function sourcesOf(
  scope: Scope,
  { sourceIssueId, sourceIssueIds }: Pick<AgentProposal, "sourceIssueId" | "sourceIssueIds">,
): Promise<IssueReference[]> {
  const paths = new Map(sourceIssueIds.map((issueId, n) => [issueId.toLowerCase(), `sourceIssueIds.${n}`]));
  if (sourceIssueId !== null) paths.set(sourceIssueId.toLowerCase(), "sourceIssueId");
  return getReferredIssues(scope, paths);
}
