import type { ActivityEntry } from "@roster/client";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Activity, Download, Keyboard } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import type { InputOf } from "../../api/operations.ts";
import { usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { buttonClass, IconButton } from "../../design/button.tsx";
import { useKeys } from "../../design/keys.ts";
import { KeysSheet, type KeyWords } from "../../design/keys-sheet.tsx";
import { Moment } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { useRowKeys } from "../../design/row-keys.ts";
import { EmptyState, PageHead, Waiting } from "../../design/surface.tsx";
import { ActivityFilterBar } from "./activity-filters.tsx";
import { CausesDialog } from "./causes-dialog.tsx";
import { EntityLink } from "./entity-link.tsx";
import { lastSeqBefore } from "./read-causes.ts";

const from = "/$prefix/activity";
type Query = NonNullable<InputOf<"activity.list">["query"]>;

const openSubject = (row: HTMLElement): void => row.querySelector<HTMLElement>("a:not([data-entry])")?.click();

const keys: KeyWords = [
  ["j k", "Next or previous entry"],
  ["Enter", "What led to it"],
  ["o", "Open what it is about"],
];

/** Who did what, newest first; from a day on, oldest first. */
export function ActivityPage(): ReactNode {
  const { entry } = useSearch({ from });
  const navigate = useNavigate({ from });
  const [showsKeys, setShowsKeys] = useState(false);
  const { query, error, isPending } = useFilters();
  useKeys({ "?": () => setShowsKeys(true) });
  return (
    <>
      <PageHead
        title="Activity"
        aside={
          <>
            <span className="max-md:hidden">
              <IconButton label="Keys" onClick={() => setShowsKeys(true)}>
                <Keyboard size={17} aria-hidden="true" />
              </IconButton>
            </span>
            <ExportLink query={query} />
          </>
        }
      />
      <ActivityFilterBar />
      <Refusal error={error} />
      {isPending ? <Waiting /> : <Entries query={query} />}
      {entry !== undefined && /^\d{1,15}$/.test(entry) && (
        <CausesDialog
          seq={Number(entry)}
          onClose={() => void navigate({ search: ({ entry: _, ...others }) => others, replace: true })}
        />
      )}
      {showsKeys && <KeysSheet keys={keys} onClose={() => setShowsKeys(false)} />}
    </>
  );
}

/** What the address asks for, in the words of the service, which numbers entries and does not know days. */
function useFilters() {
  const { id } = useCompany();
  const { about, action, actor, agent, entity, since } = useSearch({ from });
  const day = since !== undefined && !Number.isNaN(Date.parse(since)) ? new Date(`${since}T00:00`).toISOString() : null;
  const found = useQuery({
    queryKey: ["since", id, day],
    queryFn: ({ signal }) => lastSeqBefore(id, day ?? "", signal),
    enabled: day !== null,
  });
  const query: Query = {
    ...(about !== undefined && { entityType: about }),
    ...(action !== undefined && { action }),
    ...(actor !== undefined && { actor }),
    ...(agent !== undefined && { agentId: agent }),
    ...(entity !== undefined && { entityId: entity }),
    ...(day !== null && found.data !== undefined && { after: found.data }),
  };
  return { query, error: found.error, isPending: day !== null && found.isPending };
}

/** The same entries as lines of JSON, however many there are. */
function ExportLink({ query }: { readonly query: Query }): ReactNode {
  const { id } = useCompany();
  const may = useMay("activity.export");
  if (!may) return null;
  const filters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return (
    <a
      href={`/api/companies/${id}/activity/export?${filters}`}
      download="activity.ndjson"
      title="What is shown, as lines of JSON"
      className={buttonClass()}
    >
      <Download size={15} aria-hidden="true" />
      Export
    </a>
  );
}

function Entries({ query }: { readonly query: Query }): ReactNode {
  const { id } = useCompany();
  const list = useRef<HTMLOListElement>(null);
  const { items, query: asked } = usePages("activity.list", {
    params: { companyId: id },
    query: { ...query, limit: 100 },
  });
  useRowKeys({ list, focus: "[data-entry]", keys: { o: openSubject } });
  if (items.length === 0 && asked.isSuccess) {
    return <EmptyState icon={<Activity />} title="Nothing of that kind happened yet" />;
  }
  return (
    <>
      <ol ref={list} aria-label="Entries" className="flex flex-col">
        {items.map((entry) => (
          <EntryLine key={entry.id} entry={entry} />
        ))}
      </ol>
      <MoreButton query={asked} />
    </>
  );
}

function EntryLine({ entry }: { readonly entry: ActivityEntry }): ReactNode {
  const { issuePrefix } = useCompany();
  const { actor, sentence, cause, seq } = entry;
  return (
    <li className="grid grid-cols-[2.75rem_minmax(0,1fr)_auto] gap-x-3 border-line border-b py-2.5 last:border-b-0 focus-within:bg-hover md:gap-x-4">
      <Link
        data-entry={seq}
        to="/$prefix/activity"
        params={{ prefix: issuePrefix }}
        search={(search: Record<string, unknown>) => ({ ...search, entry: String(seq) })}
        aria-label={`#${seq}: what led to it`}
        title="What led to it"
        className="text-ink-faint text-sm tabular-nums hover:text-accent hover:underline"
      >
        #{seq}
      </Link>
      <p className="min-w-0 break-words">
        <span className="font-medium">{actor.name}</span> {withoutActor(sentence, actor.name)}{" "}
        <EntityLink entry={entry} />
        {cause.seq !== null && (
          <span className="whitespace-nowrap text-ink-faint text-xs"> because of #{cause.seq}</span>
        )}
      </p>
      <span className="text-ink-faint text-sm">
        <Moment at={entry.createdAt} />
      </span>
    </li>
  );
}

/** A sentence begins with who did it, who stands before it in bold. Pure. */
const withoutActor = (sentence: string, name: string): string =>
  sentence.startsWith(`${name} `) ? sentence.slice(name.length + 1) : sentence;
