import type { Approval, Attention } from "@roster/client";
import { Link } from "@tanstack/react-router";
import { CircleHelp, Coins, TriangleAlert, UserPlus, Wrench } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { Button, buttonClass } from "../../design/button.tsx";
import { classes } from "../../design/classes.ts";
import { Moment, Money } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Waiting } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { WhynotFix } from "../agents/whynot-fix.tsx";
import { subjectOf } from "../approvals/subject.ts";
import { useAgents, useNameOf } from "../people/names.ts";

const DecideInPlace = lazy(async () => ({ default: (await import("./decide-in-place.tsx")).DecideInPlace }));

const pictures = {
  hire_agent: UserPlus,
  config_change: Wrench,
  budget_override: Coins,
  board_request: CircleHelp,
} as const;

/** A question that the board has not decided. */
export function ApprovalNeed({ approval }: { readonly approval: Approval }): ReactNode {
  const { issuePrefix } = useCompany();
  const nameOf = useNameOf();
  const [isOpen, setOpen] = useState(false);
  const may = useMay("approvals.approve");
  const Picture = pictures[approval.type];
  // What has many parts is read first; the rest is decided where it stands.
  const isLong = approval.type === "hire_agent" || approval.type === "config_change";
  return (
    <Need
      picture={<Picture size={17} />}
      opened={
        isOpen && (
          <Suspense fallback={<Waiting />}>
            <DecideInPlace approval={approval} />
          </Suspense>
        )
      }
      title={subjectOf(approval)}
      below={
        <>
          {nameOf(approval.requestedByAgentId, approval.requestedByUserId)} asked · <Moment at={approval.updatedAt} />
          {approval.payloadVersion > 1 && ` · version ${approval.payloadVersion}`}
          <Price approval={approval} />
        </>
      }
    >
      {may && (
        <Button
          look={isLong ? "plain" : "primary"}
          aria-expanded={isOpen}
          aria-label={`Decide: ${subjectOf(approval)}`}
          onClick={() => setOpen(!isOpen)}
        >
          Decide
        </Button>
      )}
      <Link
        to="/$prefix/approvals/$approvalId"
        params={{ prefix: issuePrefix, approvalId: approval.id }}
        className={buttonClass(isLong ? "primary" : "plain")}
        aria-label={`Review: ${subjectOf(approval)}`}
      >
        Review
      </Link>
    </Need>
  );
}

/** What a month of it would cost, where it says so. */
function Price({ approval: { payload } }: { readonly approval: Approval }): ReactNode {
  const cents = Number(payload["proposedBudgetMonthlyCents"] ?? payload["budgetMonthlyCents"] ?? 0);
  if (cents === 0) return null;
  return (
    <>
      {" · "}
      <Money cents={cents} /> a month
    </>
  );
}

/** Something that somebody has to look at. */
export function AttentionNeed({ call }: { readonly call: Attention }): ReactNode {
  const dismiss = useCommand("attention.dismiss", () => toast("Dismissed"));
  const may = useMay("attention.dismiss");
  const spent = useAgents().get(call.entityId)?.spentMonthlyCents ?? 0;
  return (
    <Need
      isBad
      picture={<TriangleAlert size={17} />}
      title={call.message}
      below={
        <>
          <Moment at={call.createdAt} />
          {spent > 0 && (
            <>
              {" · "}
              <Money cents={spent} /> spent this month
            </>
          )}
        </>
      }
      error={dismiss.error}
    >
      {may && (
        <Button
          look="quiet"
          busy={dismiss.isPending}
          onClick={() => dismiss.mutate({ params: { attentionId: call.id } })}
        >
          Dismiss
        </Button>
      )}
      <NextAction call={call} />
    </Need>
  );
}

/** The one thing to do next about it. */
function NextAction({ call: { entityType, entityId } }: { readonly call: Attention }): ReactNode {
  const { issuePrefix: prefix } = useCompany();
  if (entityType === "agent") return <WhynotFix agentId={entityId} />;
  if (entityType === "issue") {
    return (
      <Link to="/$prefix/issues/$identifier" params={{ prefix, identifier: entityId }} className={buttonClass()}>
        Open the issue
      </Link>
    );
  }
  if (entityType === "approval") {
    return (
      <Link to="/$prefix/approvals/$approvalId" params={{ prefix, approvalId: entityId }} className={buttonClass()}>
        Open the question
      </Link>
    );
  }
  return (
    <Link
      to={entityType === "company" ? "/$prefix/costs" : "/$prefix/activity"}
      params={{ prefix }}
      className={buttonClass()}
    >
      {entityType === "company" ? "See the costs" : "See the log"}
    </Link>
  );
}

interface NeedParts {
  readonly picture: ReactNode;
  readonly title: string;
  readonly below: ReactNode;
  readonly isBad?: boolean;
  readonly error?: unknown;
  /** What is shown below once it was asked for. */
  readonly opened?: ReactNode;
  readonly children: ReactNode;
}

function Need({ picture, title, below, isBad = false, error, opened, children }: NeedParts): ReactNode {
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5 px-4 py-3">
      <span
        aria-hidden="true"
        className={classes(
          "flex size-8 shrink-0 items-center justify-center rounded-md",
          isBad ? "bg-bad-soft text-bad" : "bg-warn-soft text-warn",
        )}
      >
        {picture}
      </span>
      <div className="min-w-48 flex-1">
        <p className="break-words font-medium">{title}</p>
        <p className="text-ink-faint text-sm">{below}</p>
      </div>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
      {error !== undefined && error !== null && (
        <div className="w-full">
          <Refusal error={error} />
        </div>
      )}
      {opened}
    </li>
  );
}
