import type { JsonObject } from "@roster/client";
import { type ReactNode, useState } from "react";
import { Select } from "../../design/field.tsx";
import { wrongAt } from "../../design/refusal.tsx";
import { EnvField } from "./env-field.tsx";
import { SettingField } from "./setting-field.tsx";
import { type SettingSchema, settingsIn } from "./setting-kind.ts";
import { useAdapters } from "./use-adapters.ts";
import type { AgentDraft } from "./use-agent-draft.ts";

interface Parts {
  readonly drafting: AgentDraft;
  readonly error: unknown;
}

/** The adapter, and every setting that it has. */
export function AdapterSettings({ drafting, error }: Parts): ReactNode {
  const { adapters } = useAdapters();
  const { base, draft, change } = drafting;
  const adapter = adapters.find(({ type }) => type === draft.adapterType);
  const known = settingsIn(adapter?.settings ?? {});
  const unknown = Object.keys(draft.adapterConfig)
    .filter((name) => name !== "env" && !known.some(([other]) => other === name))
    .map((name): readonly [string, SettingSchema] => [name, { description: "Not known to this adapter" }]);
  const choose = (adapterType: string): void => {
    // Settings of one adapter mean nothing to another; back at the first, they are what they were.
    change({ adapterType, adapterConfig: adapterType === base.adapterType ? base.adapterConfig : {} });
  };
  const set = (name: string, value: JsonObject[string] | undefined): void => {
    const { [name]: _, ...others } = draft.adapterConfig;
    change({ adapterConfig: value === undefined ? others : { ...draft.adapterConfig, [name]: value } });
  };
  return (
    <div className="flex flex-col gap-5">
      <Select
        label="Adapter"
        hint={adapter?.description}
        value={draft.adapterType}
        wrong={wrongAt(error, "adapterType")}
        onChange={({ target }) => choose(target.value)}
      >
        {adapter === undefined && <option value={draft.adapterType}>{draft.adapterType}</option>}
        {adapters.map(({ type, title, found }) => (
          <option key={type} value={type}>
            {found === null ? title : `${title} · found here`}
          </option>
        ))}
      </Select>
      <SettingFields
        key={draft.adapterType}
        settings={[...known, ...unknown]}
        values={draft.adapterConfig}
        error={error}
        onSet={set}
      />
      <EnvField
        env={(draft.adapterConfig["env"] ?? {}) as JsonObject}
        error={error}
        onChange={(env) => set("env", env)}
      />
    </div>
  );
}

interface SettingParts {
  readonly settings: readonly (readonly [string, SettingSchema])[];
  readonly values: JsonObject;
  readonly error: unknown;
  readonly onSet: (name: string, value: JsonObject[string] | undefined) => void;
}

/** Those that are set, and those that matter to most; the others at a press. */
function SettingFields({ settings, values, error, onSet }: SettingParts): ReactNode {
  // What is shown stays shown while it is being filled in or emptied.
  const [first] = useState(() => new Set(Object.keys(values)));
  const isFirst = ([name]: readonly [string, SettingSchema], index: number): boolean =>
    first.has(name) || index === 0 || name === "model" || name === "cwd" || wrongAt(error, pathOf(name)) !== undefined;
  const shown = settings.filter(isFirst);
  const others = settings.filter((setting, index) => !isFirst(setting, index));
  const field = ([name, schema]: readonly [string, SettingSchema]): ReactNode => (
    <SettingField
      key={name}
      name={name}
      schema={schema}
      value={values[name]}
      wrong={wrongAt(error, pathOf(name))}
      onChange={(value) => onSet(name, value)}
    />
  );
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">{shown.map(field)}</div>
      {others.length > 0 && (
        <details className="group rounded-md border border-line">
          <summary className="cursor-pointer px-3 py-2 font-medium text-ink-soft text-sm hover:text-ink">
            {others.length} more settings, all as usual
          </summary>
          <div className="grid items-start gap-4 border-line border-t p-4 sm:grid-cols-2">{others.map(field)}</div>
        </details>
      )}
    </>
  );
}

const pathOf = (name: string): string => `adapterConfig.${name}`;
