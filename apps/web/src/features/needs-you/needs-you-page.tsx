import { Link } from "@tanstack/react-router";
import { CircleCheck, UserPlus } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useAsk } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { buttonClass } from "../../design/button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { useRowKeys } from "../../design/row-keys.ts";
import { EmptyState, PageHead, Rows, Section, Waiting } from "../../design/surface.tsx";
import { RunRow } from "../runs/run-row.tsx";
import { ApprovalNeed, AttentionNeed } from "./need-row.tsx";
import { useNeeds } from "./needs.ts";

/** One queue of what waits for a person, and what goes on meanwhile. */
export function NeedsYouPage(): ReactNode {
  const company = useCompany();
  return (
    <>
      <PageHead title="Needs you">
        {company.goal !== null && <p className="max-w-3xl whitespace-pre-line text-ink-soft">{company.goal}</p>}
      </PageHead>
      <Queue />
      <Now />
    </>
  );
}

function Queue(): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  useRowKeys({ list, focus: "[data-next], a, button" });
  const { approvals, attention, count, isPending, error } = useNeeds();
  if (error !== null) return <Refusal error={error} />;
  if (isPending) return <Waiting />;
  if (count === 0) return <Nothing />;
  return (
    <Rows label="What waits for you" ref={list}>
      {attention.map((call) => (
        <AttentionNeed key={call.id} call={call} />
      ))}
      {approvals.map((approval) => (
        <ApprovalNeed key={approval.id} approval={approval} />
      ))}
    </Rows>
  );
}

function Nothing(): ReactNode {
  const { id, issuePrefix } = useCompany();
  const { data } = useAsk("agents.list", { params: { companyId: id }, query: { limit: 200 } });
  const mayHire = useMay("hires.request");
  if (data?.items.length === 0 && mayHire) {
    return (
      <EmptyState icon={<UserPlus />} title="Nobody works here yet">
        <p className="mb-4">Hire the first agent, then give it an issue.</p>
        <Link to="/$prefix/hire" params={{ prefix: issuePrefix }} className={buttonClass("primary")}>
          Hire an agent
        </Link>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<CircleCheck />} title="Nothing waits for you">
      Approvals, questions and what went wrong come here.
    </EmptyState>
  );
}

function Now(): ReactNode {
  const { id, issuePrefix } = useCompany();
  const { data } = useAsk("runs.list", { params: { companyId: id }, query: { limit: 8 } });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section
      title="Latest work"
      aside={
        <Link to="/$prefix/activity" params={{ prefix: issuePrefix }} className="text-accent text-sm">
          All activity
        </Link>
      }
    >
      <Rows label="Latest runs">
        {data.items.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </Rows>
    </Section>
  );
}
