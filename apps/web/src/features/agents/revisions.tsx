import type { Agent, Revision } from "@roster/client";
import { versionOf } from "@roster/client";
import { type ReactNode, useState } from "react";
import { useAsk, useCommand, usePages } from "../../api/queries.ts";
import { useMay } from "../../app/may.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Differences } from "../../design/difference.tsx";
import { Moment } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Rows, Waiting } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { wordsOf } from "../../design/words.ts";
import { useNameOf } from "../people/names.ts";

/** Everything that the agent's configuration has been. */
export function Revisions({ agent }: { readonly agent: Agent }): ReactNode {
  const { items, query } = usePages("configurations.listRevisions", { params: { agentId: agent.id }, query: {} });
  const [shown, setShown] = useState<Revision | null>(null);
  return (
    <>
      <Rows label="Revisions, newest first">
        {items.map((revision) => (
          <RevisionRow
            key={revision.id}
            revision={revision}
            isPresent={revision.number === agent.revisionNumber}
            onShow={() => setShown(revision)}
          />
        ))}
      </Rows>
      <MoreButton query={query} />
      {shown !== null && <RevisionDialog agent={agent} revision={shown} onClose={() => setShown(null)} />}
    </>
  );
}

interface RowParts {
  readonly revision: Revision;
  readonly isPresent: boolean;
  readonly onShow: () => void;
}

function RevisionRow({ revision, isPresent, onShow }: RowParts): ReactNode {
  const nameOf = useNameOf();
  const { actor, changed, number, source, createdAt } = revision;
  const agentId = actor.kind === "agent" ? actor.id : null;
  return (
    <li className="flex items-center gap-3.5 px-4 py-2.5">
      <span className="w-8 text-ink-faint tabular-nums">{number}</span>
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{changed.length === 0 ? wordsOf(source) : changed.join(", ")}</p>
        <p className="text-ink-faint text-sm">
          {wordsOf(source)} · {actor.kind === "system" ? "Roster" : nameOf(agentId, agentId === null ? actor.id : null)}{" "}
          · <Moment at={createdAt} />
        </p>
      </div>
      {isPresent && <Badge tone="accent">Present</Badge>}
      <Button onClick={onShow} aria-label={`Show revision ${number}`}>
        Show
      </Button>
    </li>
  );
}

interface DialogParts {
  readonly agent: Agent;
  readonly revision: Revision;
  readonly onClose: () => void;
}

function RevisionDialog({ agent, revision, onClose }: DialogParts): ReactNode {
  const present = usePages("configurations.listRevisions", { params: { agentId: agent.id }, query: {} }).items[0];
  const isPresent = present?.id === revision.id;
  return (
    <Dialog title={`Revision ${revision.number}`} onClose={onClose} wide>
      <div className="flex flex-col gap-6">
        <section className="flex flex-col gap-2">
          <h3 className="font-medium">What it changed</h3>
          <DifferenceOf agentId={agent.id} revisionId={revision.id} />
        </section>
        {!isPresent && present !== undefined && (
          <section className="flex flex-col gap-3">
            <h3 className="font-medium">What rolling back would change now</h3>
            <DifferenceOf agentId={agent.id} revisionId={revision.id} against={present.id} />
            <RollbackButton agent={agent} revision={revision} onClose={onClose} />
          </section>
        )}
      </div>
    </Dialog>
  );
}

function RollbackButton({ agent, revision, onClose }: DialogParts): ReactNode {
  const rollback = useCommand("configurations.rollback", () => {
    toast(`Rolled back to revision ${revision.number}`);
    onClose();
  });
  const params = { agentId: agent.id, revisionId: revision.id };
  const may = useMay("configurations.rollback");
  if (!may) return null;
  return (
    <>
      <Refusal error={rollback.error} />
      <Button
        look="primary"
        className="self-end"
        busy={rollback.isPending}
        onClick={() => rollback.mutate({ params, ifMatch: versionOf(agent) })}
      >
        Roll back to revision {revision.number}
      </Button>
    </>
  );
}

interface DifferenceParts {
  readonly agentId: string;
  readonly revisionId: string;
  readonly against?: string;
}

function DifferenceOf({ agentId, revisionId, against }: DifferenceParts): ReactNode {
  const query = against === undefined ? {} : { against };
  const { data, error } = useAsk("configurations.diff", { params: { agentId, revisionId }, query });
  if (data === undefined) return error === null ? <Waiting /> : <Refusal error={error} />;
  return <Differences differences={data.differences} texts={data.texts} />;
}
