import type { JsonObject } from "@roster/client";
import type { ReactNode } from "react";
import { Select, TextField } from "../../design/field.tsx";
import { wrongAt } from "../../design/refusal.tsx";
import { useAdapters } from "./use-adapters.ts";

/** An adapter that was chosen, and the one setting that it cannot do without. */
export interface AdapterChoice {
  readonly type: string;
  readonly setting: string;
}

/** What each adapter cannot do without; those that are not here work as they are, on the login of the machine. */
const needs: Readonly<Record<string, { readonly name: string; readonly label: string; readonly hint: string }>> = {
  process: { name: "command", label: "Command", hint: "A command line, as a shell takes it: node /srv/agents/ada.mjs" },
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
}

/** What embodies an agent, and what that needs. */
export function AdapterFields({ choice, error, onChoose }: Parts): ReactNode {
  const adapters = useAdapters();
  const chosen = adapters.find(({ type }) => type === choice.type);
  const need = needs[choice.type];
  return (
    <>
      <Select
        label="Runs as"
        value={choice.type}
        hint={chosen?.description}
        wrong={wrongAt(error, "adapterType")}
        onChange={({ target }) => onChoose({ ...choice, type: target.value })}
      >
        {adapters.map(({ type, title }) => (
          <option key={type} value={type}>
            {title}
          </option>
        ))}
      </Select>
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
    </>
  );
}
