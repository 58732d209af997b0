import { type Issue, isRefused, versionOf } from "@roster/client";
import { issuePriorities, issueStatuses } from "@roster/contract";
import { type ReactNode, useEffect, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { useMay } from "../../app/may.ts";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/field.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card } from "../../design/surface.tsx";
import { wordsOf } from "../../design/words.ts";
import { useNameOf } from "../people/names.ts";
import { AssigneeSelect } from "./assignee-select.tsx";

/** What is chosen of an issue, not written. */
type Choice = Partial<Pick<Issue, "status" | "priority" | "assigneeAgentId" | "assigneeUserId" | "parentId">>;

/** Status, assignee and priority of an issue, to be changed at a touch. */
export function IssueProperties({
  issue,
  children,
}: {
  readonly issue: Issue;
  readonly children: ReactNode;
}): ReactNode {
  const { shown, set, change, conflict, again, giveUp } = useChoice(issue);
  const may = useMay("issues.change");
  return (
    <Card className="p-4">
      <fieldset disabled={!may} className="grid grid-cols-2 gap-3.5 lg:grid-cols-1">
        <legend className="sr-only">Properties</legend>
        <Select
          label="Status"
          value={shown.status}
          onChange={({ target }) => set({ status: issueStatuses[target.selectedIndex] ?? issue.status })}
        >
          {issueStatuses.map((status) => (
            <option key={status} value={status}>
              {wordsOf(status)}
            </option>
          ))}
        </Select>
        <AssigneeSelect label="Assignee" value={shown} onChoose={set} />
        <Select
          label="Priority"
          value={shown.priority}
          onChange={({ target }) => set({ priority: issuePriorities[target.selectedIndex] ?? issue.priority })}
        >
          {issuePriorities.map((priority) => (
            <option key={priority} value={priority}>
              {wordsOf(priority)}
            </option>
          ))}
        </Select>
        {conflict !== null && <Conflict issue={issue} wish={conflict} onMine={again} onTheirs={giveUp} />}
        {change.error !== null && !isRefused(change.error, "stale_revision") && (
          <div className="col-span-full">
            <Refusal error={change.error}>
              <Button className="mt-1 self-start" onClick={again}>
                Try again
              </Button>
            </Refusal>
          </div>
        )}
        {children}
      </fieldset>
    </Card>
  );
}

interface Wish {
  readonly seen: Issue;
  readonly body: Choice;
}

/**
 * Changes an issue as it was seen. Where somebody changed something else meanwhile, the choice holds; where it was the
 * same, both are shown, and the person chooses.
 */
function useChoice(issue: Issue) {
  const [wish, setWish] = useState<Wish | null>(null);
  const change = useCommand("issues.change", () => setWish(null));
  const send = (seen: Issue, body: Choice): void => {
    setWish({ seen, body });
    change.mutate({ params: { issueId: issue.id }, body, ifMatch: versionOf(seen) });
  };
  const isLate = wish !== null && isRefused(change.error, "stale_revision");
  const isFresh = wish !== null && versionOf(issue) !== versionOf(wish.seen);
  const isSame = wish !== null && Object.keys(wish.body).every((key) => isEqualAt(issue, wish.seen, key));
  useEffect(() => {
    if (isLate && isFresh && isSame) send(issue, wish.body);
  });
  return {
    shown: change.isPending && wish !== null ? { ...issue, ...wish.body } : issue,
    set: (body: Choice) => send(issue, body),
    change,
    conflict: isLate && isFresh && !isSame ? wish.body : null,
    again: () => wish !== null && send(issue, wish.body),
    giveUp: () => {
      setWish(null);
      change.reset();
    },
  };
}

const isEqualAt = (one: Issue, other: Issue, key: string): boolean =>
  one[key as keyof Issue] === other[key as keyof Issue];

interface ConflictParts {
  readonly issue: Issue;
  readonly wish: Choice;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

function Conflict({ issue, wish, onMine, onTheirs }: ConflictParts): ReactNode {
  const nameOf = useNameOf();
  const wordsIn = ({ status, priority, assigneeAgentId = null, assigneeUserId = null }: Choice): string => {
    if (status !== undefined) return wordsOf(status);
    return priority === undefined ? nameOf(assigneeAgentId, assigneeUserId) : wordsOf(priority);
  };
  const present = wordsIn(Object.fromEntries(Object.keys(wish).map((key) => [key, issue[key as keyof Issue]])));
  return (
    <div role="alert" className="col-span-full flex flex-col gap-2 rounded-md bg-warn-soft p-3 text-sm">
      <p className="font-medium text-warn">Somebody changed the same meanwhile.</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onTheirs}>Take theirs: {present}</Button>
        <Button onClick={onMine}>Keep mine: {wordsIn(wish)}</Button>
      </div>
    </div>
  );
}
