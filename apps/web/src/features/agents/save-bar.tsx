import { type Agent, isRefused, versionOf } from "@roster/client";
import { type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Differences } from "../../design/difference.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card, Waiting } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { changeBetween, draftDifferences, draftOf } from "./agent-draft.ts";
import { ChangedMeanwhile } from "./changed-meanwhile.tsx";
import type { AgentDraft } from "./use-agent-draft.ts";

interface Parts {
  readonly agent: Agent;
  readonly drafting: AgentDraft;
  /** What the service refused the last time; its sentences stand at the fields. */
  readonly saving: Saving;
}

/** The saving of a change of an agent. */
export type Saving = ReturnType<typeof useSaving>;

/** Saves a change; whoever was overtaken by somebody else is refused. */
export function useSaving(drafting: AgentDraft) {
  return useCommand("agents.change", (saved) => {
    const isRevision = saved.revisionNumber !== drafting.base.revisionNumber;
    toast(isRevision ? `Saved as revision ${saved.revisionNumber}` : "Saved");
    drafting.restart(saved);
  });
}

/** What is typed and not saved: how much it is, what it would change, and the ways out. */
export function SaveBar({ agent, drafting, saving }: Parts): ReactNode {
  const [isPreviewed, setPreviewed] = useState(false);
  const { changes, restart } = drafting;
  // What is typed after a change was saved is another change: it is looked at when somebody asks for it.
  if (changes === 0 && isPreviewed) setPreviewed(false);
  if (changes === 0) return null;
  const isOvertaken = versionOf(agent) !== versionOf(drafting.base);
  const discard = (): void => {
    saving.reset();
    restart(agent);
  };
  return (
    <section aria-label="Your change" className="sticky bottom-16 z-10 md:bottom-4">
      <Card className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3 shadow-raised">
        <p className="min-w-40 flex-1 pl-1 text-sm">
          {changes === 1 ? "1 change, not saved" : `${changes} changes, not saved`}
          {isOvertaken && <span className="block text-warn text-xs">Somebody else changed it meanwhile.</span>}
          {saving.error !== null && <span className="block text-bad text-xs">It was refused: see the fields.</span>}
        </p>
        <Button look="quiet" onClick={discard}>
          Discard
        </Button>
        <Button look="primary" onClick={() => setPreviewed(true)}>
          Preview the change
        </Button>
      </Card>
      {isPreviewed && <Preview agent={agent} drafting={drafting} saving={saving} onClose={() => setPreviewed(false)} />}
    </section>
  );
}

function Preview({ agent, drafting, saving, onClose }: Parts & { readonly onClose: () => void }): ReactNode {
  const { base, draft } = drafting;
  const isOvertaken = versionOf(agent) !== versionOf(base);
  const isRefusedAsStale = isRefused(saving.error, "stale_revision");
  const before = draftOf(base);
  const { values, texts } = draftDifferences(before, draft);
  const save = (): void => {
    const input = { params: { agentId: agent.id }, body: changeBetween(before, draft), ifMatch: versionOf(base) };
    saving.mutate(input, { onSuccess: onClose });
  };
  if (isOvertaken) {
    return (
      <Dialog title="Somebody else changed it meanwhile" onClose={onClose} wide>
        <ChangedMeanwhile
          before={before}
          theirs={draftOf(agent)}
          mine={draft}
          onMerge={(merged) => {
            saving.reset();
            drafting.restart(agent, merged);
          }}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title="What would change" onClose={onClose} wide>
      <div className="flex flex-col gap-4">
        <Differences differences={values} texts={texts} />
        {isRefusedAsStale ? <Waiting /> : <Refusal error={saving.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Go on editing</Button>
          <Button look="primary" busy={saving.isPending} disabled={values.length === 0} onClick={save}>
            Save as a new revision
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
