import type { Issue } from "@roster/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useState } from "react";
import { callOperation } from "../../api/operations.ts";
import { useCompany } from "../../app/company.ts";
import { Dialog } from "../../design/dialog.tsx";
import { TextField } from "../../design/field.tsx";
import { Refusal } from "../../design/refusal.tsx";

interface PickerParts {
  readonly title: string;
  /** Not among what can be picked. */
  readonly except: string;
  readonly error: unknown;
  readonly onPick: (issue: Issue) => void;
  readonly onClose: () => void;
}

/** Finds an issue by its words or its identifier. */
export function IssuePicker({ title, except, error, onPick, onClose }: PickerParts): ReactNode {
  const { id: companyId } = useCompany();
  const [text, setText] = useState("");
  const q = useDeferredValue(text.trim());
  const input = { params: { companyId }, query: { limit: 10, ...(q !== "" && { q }) } };
  const found = useQuery({
    queryKey: ["issues", "list", input],
    queryFn: ({ signal }) => callOperation("issues.list", input, signal),
    placeholderData: keepPreviousData,
  });
  const issues = (found.data?.items ?? []).filter(({ id }) => id !== except);
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="flex flex-col gap-3">
        <TextField
          bare
          type="search"
          label="Find an issue"
          placeholder="Words or an identifier"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Refusal error={error ?? found.error} />
        <ul aria-label="Found issues" className="flex flex-col">
          {issues.map((issue) => (
            <li key={issue.id}>
              <button
                type="button"
                onClick={() => onPick(issue)}
                className="flex w-full items-center gap-3 rounded-md px-2.5 py-2 text-left text-sm hover:bg-hover"
              >
                <span className="w-16 shrink-0 text-ink-faint tabular-nums">{issue.identifier}</span>
                <span className="truncate">{issue.title}</span>
              </button>
            </li>
          ))}
        </ul>
        {issues.length === 0 && !found.isPending && <p className="text-ink-faint text-sm">Nothing is like that.</p>}
      </div>
    </Dialog>
  );
}
