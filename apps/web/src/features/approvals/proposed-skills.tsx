import type { ReactNode } from "react";
import { useAllPages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Badge } from "../../design/badge.tsx";
import { Rows } from "../../design/surface.tsx";
import type { Proposed } from "./proposed.ts";

/** The skills that come with a hire, each at the version that is proposed, and whether that is the present one. */
export function ProposedSkills({ skills }: Pick<Proposed, "skills">): ReactNode {
  const { id } = useCompany();
  const { items } = useAllPages("skills.list", { params: { companyId: id }, query: { limit: 200 } });
  if (skills.length === 0) return <p className="text-ink-soft text-sm">None.</p>;
  return (
    <Rows label="Proposed skills">
      {skills.map(({ key, contentHash }) => {
        const present = items.find((skill) => skill.key === key);
        return (
          <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
            <div className="min-w-48 flex-1">
              <p className="break-all font-medium">{key}</p>
              {present !== undefined && <p className="text-ink-faint text-xs">{present.description}</p>}
            </div>
            {present !== undefined && present.contentHash !== contentHash && (
              <Badge tone="warn">A newer version is there</Badge>
            )}
            <code className="font-mono text-ink-faint text-xs" title={contentHash}>
              {contentHash.slice(0, 12)}
            </code>
          </li>
        );
      })}
    </Rows>
  );
}
