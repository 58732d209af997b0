import type { ActivityEntry } from "@roster/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCompany } from "../../app/company.ts";

const look = "whitespace-nowrap text-accent text-sm hover:underline";

/** The way to what an entry of the log is about, where that has a page. */
export function EntityLink({ entry: { entityType, entityId, details } }: { readonly entry: ActivityEntry }): ReactNode {
  const { issuePrefix: prefix } = useCompany();
  if (entityType === "agent") {
    return (
      <Link to="/$prefix/agents/$agentKey" params={{ prefix, agentKey: entityId }} search={{}} className={look}>
        Open
      </Link>
    );
  }
  if (entityType === "run") {
    return (
      <Link to="/$prefix/runs/$runId" params={{ prefix, runId: entityId }} search={{}} className={look}>
        Open
      </Link>
    );
  }
  const issueId = entityType === "issue" ? entityId : details["issueId"];
  if (typeof issueId === "string") {
    return (
      <Link to="/$prefix/issues/$identifier" params={{ prefix, identifier: issueId }} className={look}>
        Open
      </Link>
    );
  }
  const approvalId = entityType === "approval" ? entityId : details["approvalId"];
  if (typeof approvalId !== "string") return null;
  return (
    <Link to="/$prefix/approvals/$approvalId" params={{ prefix, approvalId }} className={look}>
      Open
    </Link>
  );
}
