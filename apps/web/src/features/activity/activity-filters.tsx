import { actions, type EntityType } from "@roster/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useAsk } from "../../api/queries.ts";
import { Button } from "../../design/button.tsx";
import { Select, TextField } from "../../design/field.tsx";
import { wordsOf } from "../../design/words.ts";
import { useAgents, usePeople } from "../people/names.ts";

const from = "/$prefix/activity";
const kinds: readonly EntityType[] = [...new Set(Object.values(actions).map(({ entity }) => entity))].sort();

type Name = "about" | "action" | "actor" | "agent" | "entity" | "since";

/** Which entries are shown: all of it stands in the address. */
export function ActivityFilterBar(): ReactNode {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const set = (changes: Partial<Record<Name, string>>): void =>
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== "")),
      replace: true,
    });
  const { about = "", action = "" } = search;
  const offered = Object.entries(actions).filter(([, { entity }]) => about === "" || entity === about);
  return (
    <search aria-label="Activity" className="grid grid-cols-2 gap-2 md:grid-cols-5">
      <Select bare label="About" value={about} onChange={({ target }) => set({ about: target.value, action: "" })}>
        <option value="">About anything</option>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {wordsOf(kind)}
          </option>
        ))}
      </Select>
      <Select bare label="What happened" value={action} onChange={({ target }) => set({ action: target.value })}>
        <option value="">Anything</option>
        {offered.map(([name]) => (
          <option key={name} value={name}>
            {wordsOf(name.replace(".", " "))}
          </option>
        ))}
      </Select>
      <ActorSelect value={search.actor ?? ""} onChoose={(actor) => set({ actor })} />
      <AgentSelect value={search.agent ?? ""} onChoose={(agent) => set({ agent })} />
      <div className="flex items-center gap-2">
        <span aria-hidden="true" className="text-ink-faint text-sm">
          Since
        </span>
        <div className="min-w-0 flex-1">
          <TextField
            bare
            type="date"
            label="From this day on"
            title="From this day on, oldest first"
            value={search.since ?? ""}
            onChange={({ target }) => set({ since: target.value })}
          />
        </div>
      </div>
      {search.entity !== undefined && (
        <Button look="quiet" icon={<X size={14} aria-hidden="true" />} onClick={() => set({ entity: "" })}>
          About one thing only
        </Button>
      )}
    </search>
  );
}

interface SelectParts {
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function ActorSelect({ value, onChoose }: SelectParts): ReactNode {
  const agents = useAgents();
  const people = usePeople();
  const { data } = useAsk("auth.session", {});
  const me = data?.user;
  return (
    <Select bare label="Done by" value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">By anybody</option>
      {me !== undefined && <option value={me.id}>By me</option>}
      {[...people.values()]
        .filter(({ id }) => id !== me?.id)
        .map(({ id, name }) => (
          <option key={id} value={id}>
            By {name}
          </option>
        ))}
      {[...agents.values()].map(({ id, name }) => (
        <option key={id} value={id}>
          By {name}
        </option>
      ))}
    </Select>
  );
}

function AgentSelect({ value, onChoose }: SelectParts): ReactNode {
  return (
    <Select bare label="Agent" value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">Any agent</option>
      {[...useAgents().values()].map(({ id, name }) => (
        <option key={id} value={id}>
          By or about {name}
        </option>
      ))}
    </Select>
  );
}
