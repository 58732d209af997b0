import { type Issue, isRefused, versionOf } from "@roster/client";
import { issuePriorities, issueStatuses } from "@roster/contract";
import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useAsk, useCommand } from "../../api/queries.ts";
import { useReadableAddress } from "../../app/canonical.ts";
import { useCompany } from "../../app/company.ts";
import { StateBadge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/field.tsx";
import { Markdown } from "../../design/markdown.tsx";
import { Moment } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, PageHead, Rows, Section, Waiting } from "../../design/surface.tsx";
import { wordsOf } from "../../design/words.ts";
import { subjectOf } from "../approvals/subject.ts";
import { useNameOf } from "../people/names.ts";
import { RunRow } from "../runs/run-row.tsx";
import { AssigneeSelect } from "./assignee-select.tsx";
import { EditIssue } from "./edit-issue.tsx";
import { IssueRow } from "./issue-row.tsx";
import { Thread } from "./thread.tsx";

/** One issue: what it is about, what was said, who works on it. */
export function IssuePage(): ReactNode {
  const { identifier } = useParams({ from: "/$prefix/issues/$identifier" });
  const { data: issue, error } = useAsk("issues.get", { params: { issueId: identifier } });
  const [isEditing, setEditing] = useState(false);
  useReadableAddress(identifier, issue?.identifier);
  if (issue === undefined) return error === null ? <Waiting /> : <Refusal error={error} />;
  return (
    <>
      <IssueHead issue={issue} onEdit={() => setEditing(true)} />
      <div className="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="order-2 flex min-w-0 flex-col gap-6 lg:order-1">
          {issue.description !== null && issue.description !== "" && (
            <Card className="p-5">
              <Markdown text={issue.description} />
            </Card>
          )}
          <Children issueId={issue.id} />
          <Approvals issueId={issue.id} />
          <Runs issueId={issue.id} agentId={issue.assigneeAgentId} />
          <Comments issueId={issue.id} />
        </div>
        <div className="order-1 lg:order-2">
          <Properties issue={issue} />
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
      aside={<Button onClick={onEdit}>Edit</Button>}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-sm">
        <StateBadge state={issue.status} />
        {nameOf(issue.createdByAgentId, issue.createdByUserId)} made it <Moment at={issue.createdAt} />
        {issue.checkout !== null && <> · {nameOf(issue.checkout.agentId, null)} works on it</>}
      </p>
    </PageHead>
  );
}

function Properties({ issue }: { readonly issue: Issue }): ReactNode {
  const change = useCommand("issues.change");
  const set = (body: Partial<Pick<Issue, "status" | "priority" | "assigneeAgentId">>): void =>
    change.mutate({ params: { issueId: issue.id }, body, ifMatch: versionOf(issue) });
  return (
    <Card className="grid grid-cols-2 gap-3.5 p-4 lg:grid-cols-1">
      <Select
        label="Status"
        value={issue.status}
        onChange={({ target }) => set({ status: issueStatuses[target.selectedIndex] ?? issue.status })}
      >
        {issueStatuses.map((status) => (
          <option key={status} value={status}>
            {wordsOf(status)}
          </option>
        ))}
      </Select>
      <AssigneeSelect
        label="Assignee"
        value={issue.assigneeAgentId}
        onChoose={(assigneeAgentId) => set({ assigneeAgentId })}
      />
      <Select
        label="Priority"
        value={issue.priority}
        onChange={({ target }) => set({ priority: issuePriorities[target.selectedIndex] ?? issue.priority })}
      >
        {issuePriorities.map((priority) => (
          <option key={priority} value={priority}>
            {wordsOf(priority)}
          </option>
        ))}
      </Select>
      <Refusal error={change.error}>
        {isRefused(change.error, "stale_revision") && <p>What you see is new now: choose again.</p>}
      </Refusal>
    </Card>
  );
}

function Children({ issueId }: { readonly issueId: string }): ReactNode {
  const { id } = useCompany();
  const { data } = useAsk("issues.list", { params: { companyId: id }, query: { parentId: issueId, limit: 100 } });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title="Parts">
      <Rows label="Parts of this issue">
        {data.items.map((issue) => (
          <IssueRow key={issue.id} issue={issue} />
        ))}
      </Rows>
    </Section>
  );
}

function Approvals({ issueId }: { readonly issueId: string }): ReactNode {
  const { issuePrefix } = useCompany();
  const { data } = useAsk("approvals.listOfIssue", { params: { issueId }, query: {} });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title="Approvals">
      <Rows label="Linked approvals">
        {data.items.map((approval) => (
          <li key={approval.id} className="relative flex items-center gap-3 px-4 py-2.5 hover:bg-hover">
            <Link
              to="/$prefix/approvals/$approvalId"
              params={{ prefix: issuePrefix, approvalId: approval.id }}
              className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0"
            >
              {subjectOf(approval)}
            </Link>
            <StateBadge state={approval.status} />
          </li>
        ))}
      </Rows>
    </Section>
  );
}

/** The service lists runs by their agent: those of the assignee that were about this issue. */
function Runs({ issueId, agentId }: { readonly issueId: string; readonly agentId: string | null }): ReactNode {
  const { id } = useCompany();
  const query = { limit: 100, ...(agentId !== null && { agentId }) };
  const { data } = useAsk("runs.list", { params: { companyId: id }, query });
  const runs = (data?.items ?? []).filter((run) => run.issueId === issueId);
  if (runs.length === 0) return null;
  return (
    <Section title="Runs">
      <Rows label="Runs about this issue">
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </Rows>
    </Section>
  );
}

function Comments({ issueId }: { readonly issueId: string }): ReactNode {
  const { data, error } = useAsk("issues.listComments", { params: { issueId }, query: { limit: 200 } });
  const add = useCommand("issues.addComment");
  return (
    <Section title="Thread">
      <Refusal error={error} />
      <Thread
        draftKey={`issue ${issueId}`}
        comments={data?.items ?? []}
        sending={add}
        onSend={(body) => add.mutateAsync({ params: { issueId }, body: { body } })}
      />
    </Section>
  );
}
