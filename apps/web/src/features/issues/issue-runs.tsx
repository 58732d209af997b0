import type { ReactNode } from "react";
import { usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Money } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Rows, Section } from "../../design/surface.tsx";
import { RunRow } from "../runs/run-row.tsx";

/** Runs about an issue, newest first, and what they cost. */
export function IssueRuns({ issueId }: { readonly issueId: string }): ReactNode {
  const { id } = useCompany();
  const { items, query } = usePages("runs.list", { params: { companyId: id }, query: { issueId, limit: 20 } });
  if (items.length === 0) return <MoreButton query={query} />;
  const cents = items.reduce((sum, { usage }) => sum + usage.costCents, 0);
  return (
    <Section
      title="Runs"
      aside={
        cents > 0 && (
          <p className="text-ink-soft text-sm">
            <Money cents={cents} /> {query.hasNextPage ? "in those shown" : "in all"}
          </p>
        )
      }
    >
      <Rows label="Runs about this issue">
        {items.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </Rows>
      {query.hasNextPage && <MoreButton query={query} />}
    </Section>
  );
}
