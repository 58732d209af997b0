import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/operations.ts";
import { useAsk, useCommand } from "../../api/queries.ts";
import { useMay } from "../../app/may.ts";
import { StateBadge } from "../../design/badge.tsx";
import { Differences } from "../../design/difference.tsx";
import { Markdown } from "../../design/markdown.tsx";
import { Moment, Money } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, Facts, PageHead, Rows, Section, Waiting } from "../../design/surface.tsx";
import { IssueRow } from "../issues/issue-row.tsx";
import { Thread } from "../issues/thread.tsx";
import { useAgents, useNameOf } from "../people/names.ts";
import { Decision } from "./decision.tsx";
import { HireReview } from "./hire-review.tsx";
import { subjectOf } from "./subject.ts";

type ApprovalView = AnswerOf<"approvals.get">;

/** A question to the board, to be read and decided. */
export function ApprovalPage(): ReactNode {
  const { approvalId } = useParams({ from: "/$prefix/approvals/$approvalId" });
  const { data: approval, error } = useAsk("approvals.get", { params: { approvalId } });
  if (approval === undefined) return error === null ? <Waiting /> : <Refusal error={error} />;
  return (
    <>
      <ApprovalHead approval={approval} />
      {approval.payloadVersion > 1 && <SinceLastVersion approval={approval} />}
      <Proposal approval={approval} />
      <Issues approvalId={approval.id} />
      <Comments approvalId={approval.id} />
      <Decision approval={approval} />
    </>
  );
}

function ApprovalHead({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const nameOf = useNameOf();
  const { decidedAt, decidedByUserId, decisionNote } = approval;
  return (
    <PageHead title={subjectOf(approval)} above="Approval" aside={<StateBadge state={approval.status} />}>
      <p className="text-ink-soft text-sm">
        {nameOf(approval.requestedByAgentId, approval.requestedByUserId)} asked · <Moment at={approval.createdAt} />
        {approval.payloadVersion > 1 && ` · version ${approval.payloadVersion}`}
        {decidedAt !== null && (
          <>
            {" "}
            · decided by {nameOf(null, decidedByUserId)} <Moment at={decidedAt} />
          </>
        )}
      </p>
      {decisionNote !== null && decisionNote !== "" && (
        <blockquote className="border-line border-l-2 pl-3 text-ink-soft">{decisionNote}</blockquote>
      )}
    </PageHead>
  );
}

function SinceLastVersion({ approval: { id, payloadVersion } }: { readonly approval: ApprovalView }): ReactNode {
  const { data, error } = useAsk("approvals.diff", { params: { approvalId: id }, query: {} });
  return (
    <Section title={`What changed since version ${payloadVersion - 1}`}>
      <Refusal error={error} />
      {data !== undefined && <Differences differences={data.differences} texts={data.texts} />}
    </Section>
  );
}

function Proposal({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const { type, payload } = approval;
  if (type === "hire_agent") return <HireReview approval={approval} />;
  if (type === "board_request") {
    return (
      <Card className="p-5">
        <Markdown text={String(payload["body"] ?? "")} />
      </Card>
    );
  }
  return type === "config_change" ? <ConfigChange approval={approval} /> : <BudgetOverride approval={approval} />;
}

function ConfigChange({ approval: { payload } }: { readonly approval: ApprovalView }): ReactNode {
  // What the service stored with the question: where the agent would differ.
  const differences = (payload["differences"] ?? []) as unknown as AnswerOf<"approvals.diff">["differences"];
  return (
    <Section title={`What would change, from revision ${String(payload["baseRevision"])} on`}>
      <Differences differences={differences} texts={[]} />
    </Section>
  );
}

function BudgetOverride({ approval: { payload, agentId } }: { readonly approval: ApprovalView }): ReactNode {
  const agent = useAgents().get(agentId ?? "");
  const reason = payload["reason"];
  return (
    <Card className="flex flex-col gap-4 p-5">
      <Facts
        facts={[
          ["For", agent?.name ?? "The company"],
          ["Each month", <Money key="each" cents={Number(payload["proposedBudgetMonthlyCents"])} />],
          ...(agent === undefined
            ? []
            : [
                ["Until now", <Money key="now" cents={agent.budgetMonthlyCents} />] as const,
                ["Spent", <Money key="spent" cents={agent.spentMonthlyCents} />] as const,
              ]),
        ]}
      />
      {typeof reason === "string" && <Markdown text={reason} />}
    </Card>
  );
}

function Issues({ approvalId }: { readonly approvalId: string }): ReactNode {
  const { data } = useAsk("approvals.listIssues", { params: { approvalId }, query: {} });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title="Issues that it belongs to">
      <Rows label="Linked issues">
        {data.items.map((issue) => (
          <IssueRow key={issue.id} issue={issue} />
        ))}
      </Rows>
    </Section>
  );
}

function Comments({ approvalId }: { readonly approvalId: string }): ReactNode {
  const { data } = useAsk("approvals.listComments", { params: { approvalId }, query: { limit: 200 } });
  const add = useCommand("approvals.comment");
  const may = useMay("approvals.comment");
  return (
    <Section title="Comments">
      <Thread
        draftKey={`approval ${approvalId}`}
        comments={data?.items ?? []}
        sending={add}
        onSend={may ? (body) => add.mutateAsync({ params: { approvalId }, body: { body } }) : null}
      />
    </Section>
  );
}
