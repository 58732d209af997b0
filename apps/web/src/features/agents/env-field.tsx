import type { JsonObject, Secret } from "@roster/client";
import { Plus, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Button, IconButton } from "../../design/button.tsx";
import { Select, TextField } from "../../design/field.tsx";
import { wrongAt } from "../../design/refusal.tsx";

type Json = JsonObject[string];

interface Parts {
  readonly env: JsonObject;
  readonly error: unknown;
  readonly onChange: (env: JsonObject) => void;
}

const redacted = "[redacted]";
const membersOf = (value: Json | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

/** The environment of the program, the one place for secrets: each entry a text or one of the company's secrets. */
export function EnvField({ env, error, onChange }: Parts): ReactNode {
  const { id } = useCompany();
  const { items: secrets } = usePages("secrets.list", { params: { companyId: id }, query: { limit: 200 } });
  const set = (name: string, value: Json): void => onChange({ ...env, [name]: value });
  const remove = (name: string): void => {
    const { [name]: _, ...others } = env;
    onChange(others);
  };
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-medium text-sm">Environment</legend>
      <p className="text-ink-faint text-xs">
        Variables of its program. What looks like a secret is put into the company's secrets, and never shown again.
      </p>
      {Object.entries(env).map(([name, value]) => (
        <EnvRow
          key={name}
          name={name}
          value={value}
          secrets={secrets}
          wrong={wrongAt(error, `adapterConfig.env.${name}`)}
          onSet={(next) => set(name, next)}
          onRemove={() => remove(name)}
        />
      ))}
      <NewEntry taken={Object.keys(env)} onAdd={(name) => set(name, "")} />
    </fieldset>
  );
}

interface RowParts {
  readonly name: string;
  readonly value: Json;
  readonly secrets: readonly Secret[];
  readonly wrong: string | undefined;
  readonly onSet: (value: Json) => void;
  readonly onRemove: () => void;
}

function EnvRow({ name, value, secrets, wrong, onSet, onRemove }: RowParts): ReactNode {
  const { type, secretId, value: plain } = membersOf(value);
  const text = [value, plain].find((given) => typeof given === "string") ?? "";
  const isKnown = secrets.some(({ id }) => id === secretId);
  const choose = (chosen: string): void =>
    onSet(chosen === "" ? "" : { type: "secret_ref", secretId: chosen, version: "latest" });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 rounded-md border border-line p-3 sm:grid-cols-[11rem_10rem_minmax(0,1fr)_auto]">
      <code className="break-all pt-2 font-mono text-sm max-sm:col-start-1">{name}</code>
      <div className="max-sm:col-span-2 max-sm:row-start-2">
        <Select
          bare
          label={`What ${name} is`}
          value={type === "secret_ref" ? String(secretId) : ""}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">Text</option>
          {type === "secret_ref" && !isKnown && <option value={String(secretId)}>A secret</option>}
          {secrets.map(({ id, name: secret }) => (
            <option key={id} value={id}>
              Secret: {secret}
            </option>
          ))}
        </Select>
      </div>
      <div className="max-sm:col-span-2">
        {type === "secret_ref" ? (
          <p className="pt-2 text-ink-faint text-sm">Its value is shown to nobody.</p>
        ) : (
          <TextField
            bare
            label={`Value of ${name}`}
            placeholder={text === redacted ? "Stored, not shown" : "Value"}
            value={text === redacted ? "" : text}
            wrong={wrong}
            onChange={({ target }) => onSet(target.value)}
          />
        )}
      </div>
      <div className="max-sm:col-start-2 max-sm:row-start-1">
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <X size={15} aria-hidden="true" />
        </IconButton>
      </div>
    </div>
  );
}

function NewEntry({ taken, onAdd }: { readonly taken: readonly string[]; readonly onAdd: (name: string) => void }) {
  const [name, setName] = useState("");
  const wrong = wrongName(name, taken);
  const add = (): void => {
    if (name === "" || wrong !== undefined) return;
    onAdd(name);
    setName("");
  };
  return (
    <div className="flex items-start gap-2">
      <div className="w-56">
        <TextField
          bare
          label="Name of a new variable"
          placeholder="NAME_OF_A_VARIABLE"
          value={name}
          wrong={wrong}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add();
          }}
        />
      </div>
      <Button
        className="h-9 md:h-9"
        disabled={name === "" || wrong !== undefined}
        icon={<Plus size={15} aria-hidden="true" />}
        onClick={add}
      >
        Add
      </Button>
    </div>
  );
}

function wrongName(name: string, taken: readonly string[]): string | undefined {
  if (taken.includes(name)) return "It is there already";
  return name === "" || /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? undefined : "Letters, digits and _, no digit first";
}
