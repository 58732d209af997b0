import { type Issue, versionOf } from "@roster/client";
import { closedIssueStatuses } from "@roster/contract";
import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useAsk, useCommand, usePages } from "../../api/queries.ts";
import { useReadableAddress } from "../../app/canonical.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { StateBadge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { useKeys } from "../../design/keys.ts";
import { Markdown } from "../../design/markdown.tsx";
import { Moment } from "../../design/measures.tsx";
import { NotShown } from "../../design/not-shown.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, PageHead, Section, Waiting } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { useNameOf } from "../people/names.ts";
import { EditIssue, hasEdit } from "./edit-issue.tsx";
import { IssueApprovals } from "./issue-approvals.tsx";
import { IssueCheckout } from "./issue-checkout.tsx";
import { IssueParent, IssueParts } from "./issue-family.tsx";
import { IssueProperties } from "./issue-properties.tsx";
import { IssueRuns } from "./issue-runs.tsx";
import { Thread } from "./thread.tsx";

/** One issue: what it is about, what was said, who works on it. */
export function IssuePage(): ReactNode {
  const { identifier } = useParams({ from: "/$prefix/issues/$identifier" });
  const { data: issue, error } = useAsk("issues.get", { params: { issueId: identifier } });
  useReadableAddress(identifier, issue?.identifier);
  if (issue === undefined) return error === null ? <Waiting /> : <NotShown error={error} what="This issue" />;
  return <Shown key={issue.id} issue={issue} />;
}

function Shown({ issue }: { readonly issue: Issue }): ReactNode {
  const [isEditing, setEditing] = useState(false);
  useKeys({ e: () => setEditing(true) });
  return (
    <>
      <IssueHead issue={issue} onEdit={() => setEditing(true)} />
      <IssueCheckout issue={issue} />
      <div className="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="order-2 flex min-w-0 flex-col gap-7 lg:order-1">
          {issue.description !== null && issue.description !== "" && (
            <Card className="p-5">
              <h2 className="sr-only">Description</h2>
              <Markdown text={issue.description} />
            </Card>
          )}
          <IssueParts issue={issue} />
          <IssueApprovals issueId={issue.id} />
          <IssueRuns issueId={issue.id} />
          <Comments issueId={issue.id} />
        </div>
        <div className="order-1 lg:order-2">
          <IssueProperties issue={issue}>
            <IssueParent issue={issue} />
          </IssueProperties>
        </div>
      </div>
      {isEditing && <EditIssue issue={issue} onClose={() => setEditing(false)} />}
    </>
  );
}

function IssueHead({ issue, onEdit }: { readonly issue: Issue; readonly onEdit: () => void }): ReactNode {
  const { issuePrefix } = useCompany();
  const nameOf = useNameOf();
  return (
    <PageHead
      title={issue.title}
      above={
        <>
          <Link to="/$prefix/issues" params={{ prefix: issuePrefix }} search={{}} className="hover:underline">
            Issues
          </Link>{" "}
          / {issue.identifier}
        </>
      }
      aside={<Actions issue={issue} onEdit={onEdit} />}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-sm">
        <StateBadge state={issue.status} />
        {nameOf(issue.createdByAgentId, issue.createdByUserId)} made it <Moment at={issue.createdAt} />
        {issue.completedAt !== null && (
          <>
            {" · over "}
            <Moment at={issue.completedAt} />
          </>
        )}
      </p>
    </PageHead>
  );
}

function Actions({ issue, onEdit }: { readonly issue: Issue; readonly onEdit: () => void }): ReactNode {
  const may = useMay("issues.change");
  const isClosed = closedIssueStatuses.some((status) => status === issue.status);
  const change = useCommand("issues.change", () => toast(isClosed ? "Reopened" : "Closed"));
  if (!may) return null;
  return (
    <>
      <Button
        busy={change.isPending}
        onClick={() =>
          change.mutate({
            params: { issueId: issue.id },
            body: { status: isClosed ? "todo" : "done" },
            ifMatch: versionOf(issue),
          })
        }
      >
        {isClosed ? "Reopen" : "Close as done"}
      </Button>
      <Button onClick={onEdit}>{hasEdit(issue.id) ? "Go on editing" : "Edit"}</Button>
      <Refusal error={change.error} />
    </>
  );
}

function Comments({ issueId }: { readonly issueId: string }): ReactNode {
  const { items, query } = usePages("issues.listComments", { params: { issueId }, query: { limit: 200 } });
  const add = useCommand("issues.addComment");
  const may = useMay("issues.addComment");
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  // The newest stands last: all that was said before it is read.
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return (
    <Section title="Thread">
      <Refusal error={query.error} />
      <Thread
        draftKey={`issue ${issueId}`}
        comments={items}
        sending={add}
        onSend={may ? (body) => add.mutateAsync({ params: { issueId }, body: { body } }) : null}
      />
    </Section>
  );
}
