import type { OrgNode } from "@roster/client";
import { Link } from "@tanstack/react-router";
import { hierarchy, type LaidOut, tree } from "d3-hierarchy";
import { type ReactNode, useMemo } from "react";
import { useAsk } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { StateBadge } from "../../design/badge.tsx";
import { Face } from "../../design/face.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Waiting } from "../../design/surface.tsx";

const card = { width: 212, height: 88, gapX: 20, gapY: 44 } as const;

/** Everybody, and who reports to whom. */
export function OrgChart(): ReactNode {
  const { id } = useCompany();
  const { data, error } = useAsk("agents.org", { params: { companyId: id } });
  const picture = useMemo(() => layOut(data?.roots ?? []), [data]);
  if (data === undefined) return error === null ? <Waiting /> : <Refusal error={error} />;
  return (
    <section aria-label="Org chart" className="overflow-auto rounded-lg border border-line bg-surface p-6">
      <div className="relative mx-auto" style={{ width: picture.width, height: picture.height }}>
        <svg aria-hidden="true" className="absolute inset-0 size-full" fill="none">
          {picture.nodes.map(
            (node) => node.line !== null && <path key={node.data.id} d={node.line} className="stroke-line-strong/60" />,
          )}
        </svg>
        <ul aria-label="Agents">
          {picture.nodes.map(({ data: agent, left, top }) => (
            <li key={agent.id} className="absolute" style={{ left, top, width: card.width, height: card.height }}>
              <Place agent={agent} />
            </li>
          ))}
        </ul>
      </div>
      {data.truncated && <p className="mt-4 text-ink-faint text-sm">There are more than can be shown.</p>}
    </section>
  );
}

function Place({ agent }: { readonly agent: OrgNode }): ReactNode {
  const { issuePrefix } = useCompany();
  return (
    <div className="relative flex size-full items-center gap-3 rounded-lg border border-line bg-raised px-3 hover:bg-hover">
      <Face icon={agent.icon} />
      <div className="flex min-w-0 flex-col items-start gap-1">
        <Link
          to="/$prefix/agents/$agentKey"
          params={{ prefix: issuePrefix, agentKey: agent.id }}
          search={{}}
          className="max-w-full truncate font-medium leading-tight after:absolute after:inset-0"
        >
          {agent.name}
          <span className="block truncate font-normal text-ink-faint text-xs">{agent.title ?? agent.role}</span>
        </Link>
        <StateBadge state={agent.status} />
      </div>
    </div>
  );
}

interface Placed {
  readonly data: OrgNode;
  readonly left: number;
  readonly top: number;
  /** The way from its manager; null for who has none. */
  readonly line: string | null;
}

/** Where everybody stands. Pure. */
function layOut(roots: readonly OrgNode[]): {
  readonly nodes: Placed[];
  readonly width: number;
  readonly height: number;
} {
  // One tree above all of them, whose root is not drawn.
  const above = { reports: roots };
  const rows = hierarchy<Pick<OrgNode, "reports"> | typeof above>(above, ({ reports }) => reports);
  const laid = tree()
    .nodeSize([card.width + card.gapX, card.height + card.gapY])(rows)
    .descendants()
    .filter((node): node is LaidOut<OrgNode> => "id" in node.data);
  const first = Math.min(...laid.map(({ x }) => x));
  const nodes = laid.map((node): Placed => {
    const at = { left: node.x - first, top: node.y - (card.height + card.gapY) };
    const hasManager = node.parent !== null && "id" in node.parent.data;
    return { data: node.data, ...at, line: hasManager ? lineTo(at, (node.parent?.x ?? 0) - first) : null };
  });
  return {
    nodes,
    width: Math.max(0, ...nodes.map(({ left }) => left)) + card.width,
    height: Math.max(0, ...nodes.map(({ top }) => top)) + card.height,
  };
}

function lineTo({ left, top }: Pick<Placed, "left" | "top">, managerLeft: number): string {
  const half = card.width / 2;
  const middle = top - card.gapY / 2;
  return `M${managerLeft + half} ${top - card.gapY}V${middle}H${left + half}V${top}`;
}
