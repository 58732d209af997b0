import type { Issue } from "@roster/client";
import { issuePriorities, issueStatuses } from "@roster/contract";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { callOperation } from "../../api/operations.ts";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/field.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Card } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { wordsOf } from "../../design/words.ts";
import { type Assignee, AssigneeSelect } from "./assignee-select.tsx";
import type { Selection } from "./selection.ts";

type BulkChange = Partial<Pick<Issue, "status" | "priority">> | Assignee;

/** So many are changed at once. */
const atOnce = 4;

interface Failure {
  readonly issue: Issue;
  readonly error: unknown;
}

/** Changes all that are selected. What is refused stays selected, with the service's own sentence. */
export function BulkBar({ selection }: { readonly selection: Selection }): ReactNode {
  const { done, total, failures, change } = useBulk(selection);
  const { size } = selection.issues;
  if (size === 0) return null;
  const isBusy = done < total;
  return (
    <section aria-label="Selected issues" className="sticky bottom-16 z-30 md:bottom-4">
      <Card className="flex flex-col gap-2.5 p-3 shadow-raised">
        {failures.length > 0 && <Failures failures={failures} />}
        <div className="grid grid-cols-2 items-center gap-2 md:flex">
          <p role="status" className="px-1 font-medium max-md:col-span-2 md:flex-1">
            {isBusy ? `Changing ${done} of ${total}…` : `${size} selected`}
          </p>
          <div className="md:w-36">
            <ChangeSelect
              label="Status"
              values={issueStatuses}
              isBusy={isBusy}
              onChoose={(status) => change({ status })}
            />
          </div>
          <div className="md:w-36">
            <ChangeSelect
              label="Priority"
              values={issuePriorities}
              isBusy={isBusy}
              onChoose={(priority) => change({ priority })}
            />
          </div>
          <div className="md:w-40">
            <AssigneeSelect bare label="Set assignee" value={null} onChoose={change} />
          </div>
          <Button look="quiet" onClick={selection.clear}>
            Clear
          </Button>
        </div>
      </Card>
    </section>
  );
}

interface ChangeParts<T extends string> {
  readonly label: string;
  readonly values: readonly T[];
  readonly isBusy: boolean;
  readonly onChoose: (value: T) => void;
}

function ChangeSelect<T extends string>({ label, values, isBusy, onChoose }: ChangeParts<T>): ReactNode {
  return (
    <Select
      bare
      label={`Set ${label.toLowerCase()}`}
      value=""
      disabled={isBusy}
      onChange={({ target }) => {
        const value = values.find((known) => known === target.value);
        if (value !== undefined) onChoose(value);
      }}
    >
      <option value="" disabled>
        {label}…
      </option>
      {values.map((value) => (
        <option key={value} value={value}>
          {wordsOf(value)}
        </option>
      ))}
    </Select>
  );
}

function Failures({ failures }: { readonly failures: readonly Failure[] }): ReactNode {
  return (
    <ul aria-label="What was refused" className="flex max-h-60 flex-col gap-2 overflow-auto">
      {failures.map(({ issue, error }) => (
        <li key={issue.id}>
          <p className="mb-1 truncate text-sm">
            <span className="text-ink-faint">{issue.identifier}</span> {issue.title}
          </p>
          <Refusal error={error} />
        </li>
      ))}
    </ul>
  );
}

function useBulk(selection: Selection) {
  const queries = useQueryClient();
  const [state, setState] = useState({ done: 0, total: 0, failures: [] as readonly Failure[] });
  const change = (body: BulkChange): void => {
    const waiting = [...selection.issues.values()];
    const changed: string[] = [];
    const failures: Failure[] = [];
    setState({ done: 0, total: waiting.length, failures: [] });
    const work = async (): Promise<void> => {
      for (let issue = waiting.shift(); issue !== undefined; issue = waiting.shift()) {
        try {
          await callOperation("issues.change", { params: { issueId: issue.id }, body });
          changed.push(issue.id);
        } catch (error) {
          failures.push({ issue, error });
        }
        setState((before) => ({ ...before, done: before.done + 1 }));
      }
    };
    const all = Promise.all(Array.from({ length: atOnce }, work));
    void all.then(async () => {
      if (changed.length > 0) toast(changed.length === 1 ? "Changed one issue" : `Changed ${changed.length} issues`);
      selection.remove(changed);
      setState({ done: 0, total: 0, failures });
      await queries.invalidateQueries();
    });
  };
  return { ...state, change };
}
