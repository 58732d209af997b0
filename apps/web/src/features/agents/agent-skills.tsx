import type { Agent, AgentSkills } from "@roster/client";
import { type ReactNode, useState } from "react";
import { useAsk, useCommand, usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Select } from "../../design/field.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Rows, Waiting } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { wordsOf } from "../../design/words.ts";
import { useIsEditable } from "./configuration.tsx";

type Skill = AgentSkills["skills"][number];

const tones = { synced: "good", drifted: "warn", missing: "bad" } as const;
const meanings = {
  synced: "It runs the present version",
  drifted: "The company has a newer version; it runs the one it was given",
  missing: "The company has it no more; it runs the version it was given",
} as const;

/** The skills of an agent, each at the version that it was given, and whether that is what the company has now. */
export function AgentSkillList({ agent }: { readonly agent: Agent }): ReactNode {
  const params = { agentId: agent.id };
  const { data, error } = useAsk("configurations.getSkills", { params });
  const isEditable = useIsEditable(agent);
  const sync = useCommand("configurations.syncSkills", () => toast("The skills are set"));
  if (data === undefined) return error === null ? <Waiting /> : <Refusal error={error} />;
  const isBehind = data.skills.some(({ state }) => state === "drifted");
  const remove = (key: string): void => sync.mutate({ params, body: { desiredSkills: [key], mode: "remove" } });
  const add = (key: string): void => sync.mutate({ params, body: { desiredSkills: [key], mode: "add" } });
  return (
    <>
      <Refusal error={sync.error} />
      {data.skills.length === 0 && <p className="text-ink-soft">It has none.</p>}
      {data.skills.length > 0 && (
        <Rows label="Its skills">
          {data.skills.map((skill) => (
            <SkillRow
              key={skill.key}
              skill={skill}
              busy={sync.isPending}
              onAdd={isEditable ? add : null}
              onRemove={isEditable ? remove : null}
            />
          ))}
        </Rows>
      )}
      {isEditable && (
        <div className="flex flex-wrap items-end justify-between gap-3">
          <AddSkill taken={data.skills.map(({ key }) => key)} busy={sync.isPending} onAdd={add} />
          {isBehind && (
            <Button busy={sync.isPending} onClick={() => sync.mutate({ params, body: {} })}>
              Bring all to the present versions
            </Button>
          )}
        </div>
      )}
    </>
  );
}

interface RowParts {
  readonly skill: Skill;
  readonly busy: boolean;
  readonly onAdd: ((key: string) => void) | null;
  readonly onRemove: ((key: string) => void) | null;
}

function SkillRow({ skill: { key, contentHash, state }, busy, onAdd, onRemove }: RowParts): ReactNode {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="break-all font-medium">{key}</span>
          <Badge tone={tones[state]}>{wordsOf(state)}</Badge>
        </p>
        <p className="text-ink-faint text-sm">
          {meanings[state]} ·{" "}
          <code className="font-mono text-xs" title={contentHash}>
            {contentHash.slice(0, 12)}
          </code>
        </p>
      </div>
      {state === "drifted" && onAdd !== null && (
        <Button busy={busy} onClick={() => onAdd(key)} aria-label={`Sync ${key}`}>
          Sync
        </Button>
      )}
      {onRemove !== null && (
        <Button look="danger" busy={busy} onClick={() => onRemove(key)} aria-label={`Remove ${key}`}>
          Remove
        </Button>
      )}
    </li>
  );
}

interface AddParts {
  readonly taken: readonly string[];
  readonly busy: boolean;
  readonly onAdd: (key: string) => void;
}

function AddSkill({ taken, busy, onAdd }: AddParts): ReactNode {
  const { id } = useCompany();
  const { items } = usePages("skills.list", { params: { companyId: id }, query: { limit: 200 } });
  const [chosen, setChosen] = useState("");
  const free = items.filter(({ key }) => !taken.includes(key));
  const key = free.some((skill) => skill.key === chosen) ? chosen : "";
  if (free.length === 0) {
    return (
      <p className="text-ink-faint text-sm">
        {items.length === 0 ? "The company has no skills yet." : "It has every skill of the company."}
      </p>
    );
  }
  return (
    <div className="flex min-w-0 flex-1 items-end gap-2">
      <div className="w-72 min-w-0">
        <Select label="Give it a skill" value={key} onChange={({ target }) => setChosen(target.value)}>
          <option value="">Choose…</option>
          {free.map((skill) => (
            <option key={skill.id} value={skill.key}>
              {skill.name} · {skill.key}
            </option>
          ))}
        </Select>
      </div>
      <Button className="h-9 md:h-9" busy={busy} disabled={key === ""} onClick={() => onAdd(key)}>
        Add
      </Button>
    </div>
  );
}
