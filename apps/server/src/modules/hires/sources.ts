import type { AgentProposal } from "@roster/contract";
import type { Scope } from "../../platform/scope.ts";
import { getSources, type Source } from "./store.ts";

/** The issues that led to a hire; throws Missing for one the company does not have. */
export function sourcesOf(scope: Scope, { sourceIssueId, sourceIssueIds }: AgentProposal): Promise<Source[]> {
  const paths = new Map(sourceIssueIds.map((issueId, n) => [issueId.toLowerCase(), `sourceIssueIds.${n}`]));
  if (sourceIssueId !== null) paths.set(sourceIssueId.toLowerCase(), "sourceIssueId");
  return getSources(scope, paths);
}
