import { issuePriorities, issueStatuses } from "@roster/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useAsk } from "../../api/queries.ts";
import { Select, TextField } from "../../design/field.tsx";
import { wordsOf } from "../../design/words.ts";
import { useAgents, usePeople } from "../people/names.ts";
import type { IssueSearch } from "./issue-search.ts";

const from = "/$prefix/issues";
// A word is asked for when it is written, not each of its letters.
const writingMs = 180;

const sortWords = { newest: "Newest first", priority: "Most urgent first", status: "By status" } as const;

/** Which issues are shown, and in which order: all of it stands in the address. */
export function IssueFilterBar({ searchId }: { readonly searchId: string }): ReactNode {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const set = (name: keyof IssueSearch, value: string): void =>
    void navigate({
      search: ({ [name]: _, ...others }) => (value === "" ? others : { ...others, [name]: value }),
      replace: true,
    });
  return (
    <search
      aria-label="Issues"
      className="grid grid-cols-2 gap-2 md:grid-cols-[minmax(10rem,1fr)_9rem_9rem_10rem_10.5rem]"
    >
      <div className="max-md:col-span-2">
        <SearchField id={searchId} onWrite={(q) => set("q", q)} />
      </div>
      <Select bare label="Status" value={search.status ?? ""} onChange={({ target }) => set("status", target.value)}>
        <option value="">Any status</option>
        <option value="open">Open</option>
        <option value="closed">Closed</option>
        {issueStatuses.map((status) => (
          <option key={status} value={status}>
            {wordsOf(status)}
          </option>
        ))}
      </Select>
      <Select
        bare
        label="Priority"
        value={search.priority ?? ""}
        onChange={({ target }) => set("priority", target.value)}
      >
        <option value="">Any priority</option>
        {issuePriorities.map((priority) => (
          <option key={priority} value={priority}>
            {wordsOf(priority)}
          </option>
        ))}
      </Select>
      <AssigneeFilter value={search.assignee ?? ""} onChoose={(assignee) => set("assignee", assignee)} />
      <Select
        bare
        label="Order"
        value={search.view === "board" ? "priority" : (search.sort ?? "newest")}
        disabled={search.view === "board"}
        onChange={({ target }) => set("sort", target.value === "newest" ? "" : target.value)}
      >
        {Object.entries(sortWords).map(([sort, words]) => (
          <option key={sort} value={sort}>
            {words}
          </option>
        ))}
      </Select>
    </search>
  );
}

function SearchField({ id, onWrite }: { readonly id: string; readonly onWrite: (q: string) => void }): ReactNode {
  const { q = "" } = useSearch({ from });
  const [text, setText] = useState(q);
  const written = useRef(q);
  const write = useRef(onWrite);
  useEffect(() => {
    write.current = onWrite;
  });
  useEffect(() => {
    // What comes back from the address is older than what is being typed; only another address replaces it.
    if (q !== written.current) setText(q);
    written.current = q;
  }, [q]);
  useEffect(() => {
    if (text === written.current) return;
    const timer = setTimeout(() => {
      written.current = text;
      write.current(text);
    }, writingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextField
      bare
      type="search"
      label="Search"
      data-search={id}
      placeholder="Search in titles and descriptions"
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}

function AssigneeFilter({
  value,
  onChoose,
}: {
  readonly value: string;
  readonly onChoose: (assignee: string) => void;
}): ReactNode {
  const agents = useAgents();
  const people = usePeople();
  const { data } = useAsk("auth.session", {});
  const me = data?.user;
  return (
    <Select bare label="Assignee" value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">Anyone</option>
      {me !== undefined && <option value={`@${me.id}`}>Me</option>}
      {[...agents.values()].map(({ id, name, urlKey }) => (
        <option key={id} value={urlKey}>
          {name}
        </option>
      ))}
      {[...people.values()]
        .filter(({ id }) => id !== me?.id)
        .map(({ id, name }) => (
          <option key={id} value={`@${id}`}>
            {name}
          </option>
        ))}
    </Select>
  );
}
