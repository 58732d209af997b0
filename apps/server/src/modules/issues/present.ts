import type { Issue } from "@roster/contract";
import type { Versioned } from "../../platform/http/index.ts";
import type { IssueRow } from "./store.ts";

/** A stored issue as the API shows it. */
export function presentIssue(row: IssueRow): Issue {
  return {
    id: row.id,
    companyId: row.companyId,
    identifier: row.identifier,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    assigneeAgentId: row.assigneeAgentId,
    assigneeUserId: row.assigneeUserId,
    parentId: row.parentId,
    createdByAgentId: row.createdByAgentId,
    createdByUserId: row.createdByUserId,
    checkout: checkoutOf(row),
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function checkoutOf({ held, checkoutAgentId: agentId, checkoutRunId: runId, checkoutAt: at }: IssueRow) {
  return held && agentId !== null && at !== null ? { agentId, runId, at: at.toISOString() } : null;
}

/** The same with the number of its ETag. */
export const versionedIssue = (row: IssueRow): Versioned<Issue> => ({ version: row.version, body: presentIssue(row) });
