import type { Issue } from "@roster/client";
import { Link } from "@tanstack/react-router";
import { CircleUser } from "lucide-react";
import type { ReactNode } from "react";
import { useCompany } from "../../app/company.ts";
import { classes } from "../../design/classes.ts";
import { Face } from "../../design/face.tsx";
import { wordsOf } from "../../design/words.ts";
import { useAgents, useNameOf } from "../people/names.ts";
import type { Selection } from "./selection.ts";

interface CardParts {
  readonly issue: Issue;
  /** It was moved, and the service has not answered yet. */
  readonly isMoving: boolean;
  readonly selection: Selection;
  readonly onFocus: () => void;
}

const urgent: Readonly<Record<string, string>> = { critical: "text-bad", high: "text-warn" };

/** An issue on the board. */
export function IssueCard({ issue, isMoving, selection, onFocus }: CardParts): ReactNode {
  const { issuePrefix } = useCompany();
  const { identifier, title, priority, assigneeAgentId, assigneeUserId } = issue;
  return (
    <li
      data-issue={issue.id}
      draggable={selection.isOffered}
      aria-busy={isMoving}
      onFocus={onFocus}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", issue.id);
      }}
      className={classes(
        "relative flex cursor-grab flex-col gap-1.5 rounded-md border border-line bg-surface p-2.5 hover:border-line-strong active:cursor-grabbing",
        "focus-within:border-accent",
        isMoving && "opacity-60",
      )}
    >
      <div className="flex items-center gap-2 text-ink-faint text-xs">
        {selection.isOffered && (
          <input
            type="checkbox"
            aria-label={`Select ${identifier}`}
            checked={selection.issues.has(issue.id)}
            onChange={() => selection.toggle(issue)}
            className="relative z-10 size-3.5 cursor-pointer accent-(--color-accent)"
          />
        )}
        <span className="tabular-nums">{identifier}</span>
        <span className={classes("ml-auto", urgent[priority])}>{wordsOf(priority)}</span>
      </div>
      <Link
        to="/$prefix/issues/$identifier"
        params={{ prefix: issuePrefix, identifier }}
        draggable={false}
        className="line-clamp-3 break-words font-medium text-sm after:absolute after:inset-0"
      >
        {title}
      </Link>
      <Assigned agentId={assigneeAgentId} userId={assigneeUserId} />
    </li>
  );
}

function Assigned({ agentId, userId }: { readonly agentId: string | null; readonly userId: string | null }): ReactNode {
  const agent = useAgents().get(agentId ?? "");
  const nameOf = useNameOf();
  if (agentId === null && userId === null) return <p className="text-ink-faint text-xs">Unassigned</p>;
  return (
    <p className="flex items-center gap-1.5 text-ink-soft text-xs">
      {agent === undefined ? (
        <CircleUser size={14} aria-hidden="true" className="shrink-0" />
      ) : (
        <Face icon={agent.icon} size="small" />
      )}
      <span className="truncate">{nameOf(agentId, userId)}</span>
    </p>
  );
}
