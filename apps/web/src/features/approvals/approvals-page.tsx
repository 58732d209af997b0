import { Link } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { StateBadge } from "../../design/badge.tsx";
import { Moment } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { EmptyState, PageHead, Rows } from "../../design/surface.tsx";
import { useNameOf } from "../people/names.ts";
import { subjectOf } from "./subject.ts";

/** Every question that was put to the board. */
export function ApprovalsPage(): ReactNode {
  const { id, issuePrefix } = useCompany();
  const nameOf = useNameOf();
  const { items, query } = usePages("approvals.list", { params: { companyId: id }, query: {} });
  return (
    <>
      <PageHead title="Approvals" />
      {items.length === 0 && !query.isPending && (
        <EmptyState icon={<Inbox />} title="The board was asked nothing yet" />
      )}
      {items.length > 0 && (
        <Rows label="Approvals">
          {items.map((approval) => (
            <li key={approval.id} className="relative flex items-center gap-3 px-4 py-2.5 hover:bg-hover">
              <div className="min-w-0 flex-1">
                <Link
                  to="/$prefix/approvals/$approvalId"
                  params={{ prefix: issuePrefix, approvalId: approval.id }}
                  className="block truncate font-medium after:absolute after:inset-0"
                >
                  {subjectOf(approval)}
                </Link>
                <p className="text-ink-faint text-sm">
                  {nameOf(approval.requestedByAgentId, approval.requestedByUserId)} asked ·{" "}
                  <Moment at={approval.createdAt} />
                </p>
              </div>
              <StateBadge state={approval.status} />
            </li>
          ))}
        </Rows>
      )}
      <MoreButton query={query} />
    </>
  );
}
