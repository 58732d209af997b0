import { env } from "@roster/contract";
import type { OrderParts } from "./store.ts";

/** The variables that the service gives to a run; what does not apply to it is absent, not empty. Pure. */
export function serviceEnvironment(
  { run, wakes }: OrderParts,
  { url, credential }: { url: string; credential: string },
): Record<string, string> {
  const comment = wakes.map(({ payload }) => payload["commentId"]).find((id) => typeof id === "string");
  const values: Readonly<Record<string, unknown>> = {
    API_URL: url,
    API_KEY: credential,
    AGENT_ID: run.agentId,
    COMPANY_ID: run.companyId,
    RUN_ID: run.id,
    WAKE_REASON: wakes[0]?.reason ?? "",
    ISSUE_ID: run.issueId,
    WAKE_COMMENT_ID: comment,
    APPROVAL_ID: run.approvalId,
    APPROVAL_STATUS: run.approvalStatus,
    LINKED_ISSUE_IDS: run.approvalId === null ? null : (run.linkedIssueIds ?? []).join(","),
  };
  const given = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(given.map(([name, value]) => [env(name), value]));
}
