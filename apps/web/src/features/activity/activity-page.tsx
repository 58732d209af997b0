import type { ActivityEntry } from "@roster/client";
import { actions, type EntityType } from "@roster/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import type { ReactNode } from "react";
import { usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { buttonClass } from "../../design/button.tsx";
import { Select } from "../../design/field.tsx";
import { Moment } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { EmptyState, PageHead } from "../../design/surface.tsx";
import { wordsOf } from "../../design/words.ts";
import { EntityLink } from "./entity-link.tsx";

const from = "/$prefix/activity";
const kinds: readonly EntityType[] = [...new Set(Object.values(actions).map(({ entity }) => entity))].sort();

/** Who did what, newest first. */
export function ActivityPage(): ReactNode {
  const { id } = useCompany();
  const { about } = useSearch({ from });
  const query = { limit: 100, ...(about !== undefined && { entityType: about }) };
  const { items, query: asked } = usePages("activity.list", { params: { companyId: id }, query });
  return (
    <>
      <PageHead
        title="Activity"
        aside={
          <>
            <AboutSelect />
            <a href={`/api/companies/${id}/activity/export`} download="activity.ndjson" className={buttonClass()}>
              Export
            </a>
          </>
        }
      />
      {items.length === 0 && !asked.isPending && (
        <EmptyState icon={<Activity />} title="Nothing of that kind happened yet" />
      )}
      <ol aria-label="Entries" className="flex flex-col">
        {items.map((entry) => (
          <EntryLine key={entry.id} entry={entry} />
        ))}
      </ol>
      <MoreButton query={asked} />
    </>
  );
}

function AboutSelect(): ReactNode {
  const { about = "" } = useSearch({ from });
  const navigate = useNavigate({ from });
  return (
    <Select
      bare
      label="About"
      value={about}
      onChange={({ target }) =>
        void navigate({ search: target.value === "" ? {} : { about: target.value }, replace: true })
      }
    >
      <option value="">About anything</option>
      {kinds.map((kind) => (
        <option key={kind} value={kind}>
          {wordsOf(kind)}
        </option>
      ))}
    </Select>
  );
}

function EntryLine({ entry }: { readonly entry: ActivityEntry }): ReactNode {
  const { actor, sentence, cause, seq } = entry;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-line border-b py-2.5 last:border-b-0 md:grid-cols-[3.5rem_minmax(0,1fr)_auto]">
      <span className="text-ink-faint text-sm tabular-nums max-md:hidden">{seq}</span>
      <p className="min-w-0 break-words">
        <span className="font-medium">{actor.name}</span> {withoutActor(sentence, actor.name)}{" "}
        <EntityLink entry={entry} />
        {cause.seq !== null && <span className="text-ink-faint text-xs"> because of #{cause.seq}</span>}
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
