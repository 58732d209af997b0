import type { ActivityEntry } from "@roster/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useCompany } from "../../app/company.ts";
import { classes } from "../../design/classes.ts";
import { Dialog } from "../../design/dialog.tsx";
import { Moment } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Waiting } from "../../design/surface.tsx";
import { type Placed, placeCauses } from "./causes.ts";
import { EntityLink } from "./entity-link.tsx";
import { readCauses } from "./read-causes.ts";

const rowHeight = 56;
const widestStep = 22;
const widestIndent = 180;

interface DialogParts {
  readonly seq: number;
  readonly onClose: () => void;
}

/** What led to an entry of the log, as a picture: back to what began it, and what else came of that. */
export function CausesDialog({ seq, onClose }: DialogParts): ReactNode {
  const { id } = useCompany();
  const { data, error } = useQuery({
    queryKey: ["activity", "causes", id, seq],
    queryFn: ({ signal }) => readCauses(id, seq, signal),
  });
  return (
    <Dialog title={`What led to #${seq}`} onClose={onClose} wide>
      <Refusal error={error} />
      {data === undefined && error === null && <Waiting />}
      {data?.chosen === null && <p className="text-ink-soft">The log has no entry of this number.</p>}
      {data !== undefined && data.chosen !== null && (
        <div className="flex flex-col gap-4">
          <p className="text-ink-soft text-sm">
            Each entry stands below what caused it. The way to #{seq} is marked
            {data.entries.length > 1 && `; ${data.entries.length} entries have the same beginning`}.
          </p>
          <Picture entries={data.entries} chosen={seq} />
          {data.isCut && <p className="text-ink-faint text-sm">More may have come of it later than is shown.</p>}
        </div>
      )}
    </Dialog>
  );
}

interface PictureParts {
  readonly entries: readonly ActivityEntry[];
  readonly chosen: number;
}

function Picture({ entries, chosen }: PictureParts): ReactNode {
  const rows = useMemo(() => placeCauses(entries, chosen), [entries, chosen]);
  const deepest = Math.max(1, ...rows.map(({ depth }) => depth));
  const step = Math.min(widestStep, widestIndent / deepest);
  const x = (depth: number): number => 10 + depth * step;
  const y = (row: number): number => row * rowHeight + 20;
  return (
    <div className="relative overflow-x-auto">
      <svg
        aria-hidden="true"
        className="pointer-events-none absolute top-0 left-0"
        width={x(deepest) + 12}
        height={rows.length * rowHeight}
        fill="none"
      >
        {rows.map((row, at) => (
          <Branch
            key={row.entry.seq}
            row={row}
            at={at}
            x={x}
            y={y}
            parentDepth={rows[row.parentRow ?? 0]?.depth ?? 0}
          />
        ))}
        {rows.map(({ entry: { seq }, depth, isOnPath }, at) => (
          <circle
            key={seq}
            cx={x(depth)}
            cy={y(at)}
            r={seq === chosen ? 6 : 4}
            className={classes("stroke-2", isOnPath ? "fill-accent stroke-accent" : "fill-raised stroke-line-strong")}
          />
        ))}
      </svg>
      <ol aria-label="Causes and effects">
        {rows.map(({ entry, depth, isOnPath }) => (
          <li
            key={entry.seq}
            aria-current={entry.seq === chosen ? "true" : undefined}
            style={{ height: rowHeight, paddingLeft: x(depth) + 18 }}
            className="flex flex-col justify-start gap-0.5 pt-2 pr-1"
          >
            <Line entry={entry} isOnPath={isOnPath} />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface BranchParts {
  readonly row: Placed<ActivityEntry>;
  readonly at: number;
  readonly parentDepth: number;
  readonly x: (depth: number) => number;
  readonly y: (row: number) => number;
}

function Branch({ row: { depth, parentRow, isOnPath }, at, parentDepth, x, y }: BranchParts): ReactNode {
  if (parentRow === null) return null;
  const [from, to, height] = [x(parentDepth), x(depth), y(at)];
  const bend = Math.min(8, to - from);
  return (
    <path
      d={`M${from} ${y(parentRow)} V${height - bend} Q${from} ${height} ${from + bend} ${height} H${to}`}
      className={isOnPath ? "stroke-2 stroke-accent" : "stroke-line-strong/60"}
    />
  );
}

function Line({ entry, isOnPath }: { readonly entry: ActivityEntry; readonly isOnPath: boolean }): ReactNode {
  const { issuePrefix } = useCompany();
  return (
    <>
      <p className={classes("truncate text-sm", isOnPath ? "font-medium" : "text-ink-soft")} title={entry.sentence}>
        {entry.sentence}
      </p>
      <p className="flex items-center gap-2 text-ink-faint text-xs">
        <Link
          to="/$prefix/activity"
          params={{ prefix: issuePrefix }}
          search={(search: Record<string, unknown>) => ({ ...search, entry: String(entry.seq) })}
          replace
          aria-label={`Entry #${entry.seq}`}
          className="tabular-nums hover:underline"
        >
          #{entry.seq}
        </Link>
        <Moment at={entry.createdAt} />
        <EntityLink entry={entry} />
      </p>
    </>
  );
}
