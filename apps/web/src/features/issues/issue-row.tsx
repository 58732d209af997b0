import type { Issue } from "@roster/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCompany } from "../../app/company.ts";
import { StateBadge } from "../../design/badge.tsx";
import { classes } from "../../design/classes.ts";
import { Moment } from "../../design/measures.tsx";
import { wordsOf } from "../../design/words.ts";
import { useNameOf } from "../people/names.ts";

const urgent: Readonly<Record<string, string>> = { critical: "text-bad", high: "text-warn" };

interface LineParts {
  readonly issue: Issue;
  /** Who is to do it. */
  readonly assignee: string;
  readonly before?: ReactNode;
}

/** What an issue is in a line: the content of a row, wherever that stands. */
export function IssueLine({ issue, assignee, before }: LineParts): ReactNode {
  const { issuePrefix } = useCompany();
  const { priority } = issue;
  return (
    <div className="relative flex h-full items-center gap-3 px-4 py-2.5 hover:bg-hover">
      {before}
      <span className="w-16 shrink-0 text-ink-faint text-sm tabular-nums max-sm:hidden">{issue.identifier}</span>
      <div className="min-w-0 flex-1">
        <Link
          to="/$prefix/issues/$identifier"
          params={{ prefix: issuePrefix, identifier: issue.identifier }}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {issue.title}
        </Link>
        <p className="truncate text-ink-faint text-sm">
          <span className="sm:hidden">{issue.identifier} · </span>
          {assignee}
          {" · "}
          <span className={classes(urgent[priority])}>{wordsOf(priority)}</span>
          {" · "}
          <Moment at={issue.updatedAt} />
        </p>
      </div>
      <StateBadge state={issue.status} />
    </div>
  );
}

/** An issue as a row of a short list. */
export function IssueRow({ issue }: { readonly issue: Issue }): ReactNode {
  const assigneeOf = useAssigneeOf();
  return (
    <li>
      <IssueLine issue={issue} assignee={assigneeOf(issue)} />
    </li>
  );
}

/** Says who is to do an issue. */
export function useAssigneeOf(): (issue: Issue) => string {
  const nameOf = useNameOf();
  return ({ assigneeAgentId, assigneeUserId }) =>
    assigneeAgentId === null && assigneeUserId === null ? "Unassigned" : nameOf(assigneeAgentId, assigneeUserId);
}
