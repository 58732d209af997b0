import type { Approval } from "@roster/client";
import { Link } from "@tanstack/react-router";
import { Link2, Unlink } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useAsk, useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { StateBadge } from "../../design/badge.tsx";
import { Button, IconButton } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Rows, Section, Waiting } from "../../design/surface.tsx";
import { subjectOf } from "../approvals/subject.ts";

/** Approvals that belong to an issue, to be linked and unlinked. */
export function IssueApprovals({ issueId }: { readonly issueId: string }): ReactNode {
  const may = useMay("approvals.link");
  const { data, error } = useAsk("approvals.listOfIssue", { params: { issueId }, query: {} });
  const unlink = useCommand("approvals.unlink");
  const [isLinking, setLinking] = useState(false);
  const approvals = data?.items ?? [];
  return (
    <Section
      title="Approvals"
      aside={
        may && (
          <Button look="quiet" icon={<Link2 size={15} aria-hidden="true" />} onClick={() => setLinking(true)}>
            Link
          </Button>
        )
      }
    >
      <Refusal error={error ?? unlink.error} />
      {approvals.length > 0 ? (
        <Rows label="Linked approvals">
          {approvals.map((approval) => (
            <LinkedApproval key={approval.id} approval={approval}>
              {may && (
                <IconButton
                  label={`Unlink: ${subjectOf(approval)}`}
                  disabled={unlink.isPending}
                  onClick={() => unlink.mutate({ params: { issueId, approvalId: approval.id } })}
                >
                  <Unlink size={15} aria-hidden="true" />
                </IconButton>
              )}
            </LinkedApproval>
          ))}
        </Rows>
      ) : (
        <p className="text-ink-faint text-sm">None is linked.</p>
      )}
      {isLinking && <LinkDialog issueId={issueId} linked={approvals} onClose={() => setLinking(false)} />}
    </Section>
  );
}

function LinkedApproval({ approval, children }: { readonly approval: Approval; readonly children: ReactNode }) {
  const { issuePrefix } = useCompany();
  return (
    <li className="relative flex items-center gap-3 py-1.5 pr-2 pl-4 hover:bg-hover">
      <Link
        to="/$prefix/approvals/$approvalId"
        params={{ prefix: issuePrefix, approvalId: approval.id }}
        className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0"
      >
        {subjectOf(approval)}
      </Link>
      <StateBadge state={approval.status} />
      <span className="relative z-10">{children}</span>
    </li>
  );
}

interface LinkParts {
  readonly issueId: string;
  readonly linked: readonly Approval[];
  readonly onClose: () => void;
}

function LinkDialog({ issueId, linked, onClose }: LinkParts): ReactNode {
  const { id } = useCompany();
  const { data, error } = useAsk("approvals.list", { params: { companyId: id }, query: { limit: 100 } });
  const link = useCommand("approvals.link", onClose);
  const offered = data?.items.filter((approval) => !linked.some((other) => other.id === approval.id));
  return (
    <Dialog title="Link an approval" onClose={onClose}>
      <div className="flex flex-col gap-3">
        <Refusal error={error ?? link.error} />
        {offered === undefined && error === null && <Waiting />}
        {offered?.length === 0 && <p className="text-ink-soft text-sm">There is none that is not linked.</p>}
        <ul aria-label="Approvals" className="flex max-h-96 flex-col overflow-auto">
          {offered?.map((approval) => (
            <li key={approval.id}>
              <button
                type="button"
                disabled={link.isPending}
                onClick={() => link.mutate({ params: { issueId }, body: { approvalId: approval.id } })}
                className="flex w-full items-center gap-3 rounded-md px-2.5 py-2 text-left text-sm hover:bg-hover"
              >
                <span className="min-w-0 flex-1 truncate">{subjectOf(approval)}</span>
                <StateBadge state={approval.status} />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
