import type { Adapter, JsonObject } from "@roster/client";
import { type ReactNode, useId } from "react";
import { Badge } from "../../design/badge.tsx";
import { ChoiceCard } from "../../design/choice-card.tsx";
import { TextField } from "../../design/field.tsx";
import { wrongAt } from "../../design/refusal.tsx";
import { useAdapters } from "./use-adapters.ts";

/** An adapter that was chosen, and the one setting that it cannot do without. */
export interface AdapterChoice {
  readonly type: string;
  readonly setting: string;
}

/** What each adapter cannot do without; those that are not here work as they are, on the login of the machine. */
const needs: Readonly<Record<string, { readonly name: string; readonly label: string; readonly hint: string }>> = {
  process: {
    name: "command",
    label: "Command line",
    hint: "As a shell takes it, on the runner's machine: node /srv/agents/ada.mjs",
  },
  http: { name: "url", label: "Address", hint: "Where the order of each run is sent: https://…" },
};

/** The settings that a choice means. Pure. */
export function settingsOf({ type, setting }: AdapterChoice): JsonObject {
  const need = needs[type];
  if (need === undefined) return {};
  return { [need.name]: setting, ...(type === "process" && { shell: true }) };
}

interface Parts {
  readonly choice: AdapterChoice;
  readonly error: unknown;
  readonly onChoose: (choice: AdapterChoice) => void;
  /** Offered beside the adapters, after those that were found. */
  readonly more?: { readonly type: string; readonly title: string; readonly description: string };
}

/** What embodies an agent: what is on the machine first, then what has to be installed; and what it needs. */
export function AdapterFields({ choice, error, onChoose, more }: Parts): ReactNode {
  const { adapters, looked } = useAdapters();
  const group = useId();
  const need = needs[choice.type];
  const wrong = wrongAt(error, "adapterType");
  const card = (type: string) => ({
    group,
    value: type,
    checked: choice.type === type,
    onChoose: () => onChoose({ ...choice, type }),
  });
  const found = adapters.filter((adapter) => adapter.found !== null);
  const others = adapters.filter((adapter) => adapter.found === null);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={`${group}-said`}>
      <legend className="mb-1 font-medium text-sm">Runs as</legend>
      <p id={`${group}-said`} className={wrong === undefined ? "text-ink-faint text-xs" : "text-bad text-xs"}>
        {wrong ?? saidOf(looked, found.length)}
      </p>
      {found.map((adapter) => (
        <AdapterCard key={adapter.type} adapter={adapter} card={card(adapter.type)} />
      ))}
      {more !== undefined && (
        <ChoiceCard {...card(more.type)} title={more.title}>
          {more.description}
        </ChoiceCard>
      )}
      {others.map((adapter) => (
        <AdapterCard key={adapter.type} adapter={adapter} card={card(adapter.type)} />
      ))}
      {need !== undefined && (
        <TextField
          label={need.label}
          hint={need.hint}
          required
          value={choice.setting}
          wrong={wrongAt(error, `adapterConfig.${need.name}`)}
          onChange={({ target }) => onChoose({ ...choice, setting: target.value })}
        />
      )}
    </fieldset>
  );
}

function saidOf(looked: boolean, found: number): string {
  if (!looked) return "Looking for programs where the runner is…";
  if (found === 0) return "No program of a language model was found where the runner is.";
  return "What was found where the runner is comes first.";
}

interface CardParts {
  readonly adapter: Adapter;
  readonly card: {
    readonly group: string;
    readonly value: string;
    readonly checked: boolean;
    readonly onChoose: () => void;
  };
}

function AdapterCard({ adapter: { title, description, found, install }, card }: CardParts): ReactNode {
  if (found !== null) {
    return (
      <ChoiceCard {...card} title={title} aside={<FoundBadge version={found.version} />}>
        {found.findings.length === 0 ? description : found.findings.map(({ message }) => message).join(" ")}
      </ChoiceCard>
    );
  }
  if (install === null) {
    return (
      <ChoiceCard {...card} title={title}>
        {description}
      </ChoiceCard>
    );
  }
  return (
    <ChoiceCard {...card} title={title} aside={<Badge>Not found</Badge>}>
      To install it: <code className="break-all font-mono text-xs">{install}</code>
    </ChoiceCard>
  );
}

function FoundBadge({ version }: { readonly version: string | null }): ReactNode {
  return <Badge tone="good">Found here{version !== null && ` · ${version}`}</Badge>;
}
