import { type Issue, versionOf } from "@roster/client";
import { Link } from "@tanstack/react-router";
import { Plus, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useAsk, useCommand, usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { Button, IconButton } from "../../design/button.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Rows, Section } from "../../design/surface.tsx";
import { IssuePicker } from "./issue-picker.tsx";
import { IssueRow } from "./issue-row.tsx";
import { NewIssueDialog } from "./new-issue-dialog.tsx";

/** The parts of an issue, and the way to make one more. */
export function IssueParts({ issue }: { readonly issue: Issue }): ReactNode {
  const { id } = useCompany();
  const may = useMay("issues.create");
  const [isMaking, setMaking] = useState(false);
  const { items, query } = usePages("issues.list", {
    params: { companyId: id },
    query: { parentId: issue.id, limit: 50 },
  });
  const open = items.filter(({ completedAt }) => completedAt === null).length;
  return (
    <Section
      title="Parts"
      aside={
        may && (
          <Button look="quiet" icon={<Plus size={15} aria-hidden="true" />} onClick={() => setMaking(true)}>
            New part
          </Button>
        )
      }
    >
      {items.length > 0 ? (
        <>
          <Rows label="Parts of this issue">
            {items.map((part) => (
              <IssueRow key={part.id} issue={part} />
            ))}
          </Rows>
          {open === 0 && !query.hasNextPage && <p className="text-ink-faint text-sm">All of them are over.</p>}
          <MoreButton query={query} />
        </>
      ) : (
        <p className="text-ink-faint text-sm">It has no parts.</p>
      )}
      {isMaking && <NewIssueDialog parent={issue} onClose={() => setMaking(false)} />}
    </Section>
  );
}

/** The issue that this one is a part of, to be chosen and taken back. */
export function IssueParent({ issue }: { readonly issue: Issue }): ReactNode {
  const { issuePrefix } = useCompany();
  const { parentId } = issue;
  const { data: parent } = useAsk("issues.get", parentId === null ? null : { params: { issueId: parentId } });
  const [isPicking, setPicking] = useState(false);
  const change = useCommand("issues.change", () => setPicking(false));
  const set = (to: string | null): void =>
    change.mutate({ params: { issueId: issue.id }, body: { parentId: to }, ifMatch: versionOf(issue) });
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="font-medium text-sm">Part of</p>
      <div className="flex h-9 items-center">
        {parent === undefined ? (
          <span className="flex-1 text-ink-faint text-sm">{parentId === null ? "Nothing" : "…"}</span>
        ) : (
          <Link
            to="/$prefix/issues/$identifier"
            params={{ prefix: issuePrefix, identifier: parent.identifier }}
            className="min-w-0 flex-1 truncate text-accent text-sm hover:underline"
          >
            {parent.identifier} {parent.title}
          </Link>
        )}
        <Button
          look="quiet"
          className="-mr-2 px-2"
          aria-label={`${parentId === null ? "Set" : "Change"} what it is a part of`}
          onClick={() => setPicking(true)}
        >
          {parentId === null ? "Set" : "Change"}
        </Button>
        {parentId !== null && (
          <IconButton label="Part of nothing" onClick={() => set(null)}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {!isPicking && <Refusal error={change.error} />}
      {isPicking && (
        <IssuePicker
          title={`${issue.identifier} is a part of…`}
          except={issue.id}
          error={change.error}
          onPick={({ id }) => set(id)}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  );
}
