import type { JsonObject } from "@roster/client";
import { type ReactNode, useState } from "react";
import { Select, TextArea, TextField } from "../../design/field.tsx";
import { NumberField } from "./number-field.tsx";
import { type SettingSchema, settingKind } from "./setting-kind.ts";

type Json = JsonObject[string];

interface Parts {
  readonly name: string;
  readonly schema: SettingSchema;
  readonly value: Json | undefined;
  readonly wrong: string | undefined;
  /** Nothing: as the adapter has it. */
  readonly onChange: (value: Json | undefined) => void;
}

const emptyIsNone = (typed: string): string | undefined => (typed === "" ? undefined : typed);

/** One setting of an adapter, as its schema describes it. */
export function SettingField({ name, schema, value, wrong, onChange }: Parts): ReactNode {
  const common = { label: name, hint: schema.description, wrong };
  const kind = settingKind(schema);
  if (kind === "switch" || kind === "choice") {
    return <ChoiceField {...common} schema={schema} value={value} onChange={onChange} />;
  }
  if (kind === "number") {
    const placeholder = schema.default === undefined ? "" : String(schema.default);
    return <NumberField {...common} placeholder={placeholder} value={value} onChange={onChange} />;
  }
  if (kind === "json" || (value !== undefined && typeof value !== (kind === "lines" ? "object" : "string"))) {
    return <JsonField {...common} value={value} onChange={onChange} />;
  }
  const typed = Array.isArray(value) ? value.join("\n") : String(value ?? "");
  const placeholder = typeof schema.default === "string" ? schema.default : "";
  if (kind === "line") {
    return (
      <TextField
        {...common}
        placeholder={placeholder}
        value={typed}
        onChange={({ target }) => onChange(emptyIsNone(target.value))}
      />
    );
  }
  const read = (text: string): Json | undefined =>
    kind === "lines" && text !== "" ? text.split("\n") : emptyIsNone(text);
  return (
    <TextArea
      {...common}
      hint={kind === "lines" ? `${schema.description ?? ""} · one on each line` : schema.description}
      rows={1}
      className="min-h-9 font-mono text-sm"
      placeholder={placeholder}
      value={typed}
      onChange={({ target }) => onChange(read(target.value))}
    />
  );
}

interface FieldParts {
  readonly label: string;
  readonly hint: string | undefined;
  readonly wrong: string | undefined;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
}

function wordOf(value: Json): string {
  if (typeof value !== "boolean") return String(value);
  return value ? "On" : "Off";
}

function ChoiceField({
  schema,
  value,
  onChange,
  ...field
}: FieldParts & { readonly schema: SettingSchema }): ReactNode {
  const values: readonly Json[] = schema.enum ?? [true, false];
  const usual = schema.default === undefined ? "As the program has it" : `As usual: ${wordOf(schema.default)}`;
  return (
    <Select
      {...field}
      value={value === undefined ? "" : String(value)}
      onChange={({ target }) => onChange(values.find((known) => String(known) === target.value))}
    >
      <option value="">{usual}</option>
      {values.map((known) => (
        <option key={String(known)} value={String(known)}>
          {wordOf(known)}
        </option>
      ))}
    </Select>
  );
}

/** What has no field of its own is written as JSON; what cannot be read yet stays here and changes nothing. */
function JsonField({ value, onChange, wrong, ...field }: FieldParts): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const stored = value === undefined ? "" : JSON.stringify(value, null, 2);
  const change = (text: string): void => {
    const read = readJson(text);
    setTyped(read.isJson ? null : text);
    if (read.isJson) onChange(read.value);
  };
  return (
    <TextArea
      {...field}
      rows={1}
      className="min-h-9 font-mono text-sm"
      wrong={typed === null ? wrong : "Not JSON yet: it is not taken over"}
      value={typed ?? stored}
      onChange={({ target }) => change(target.value)}
    />
  );
}

function readJson(text: string): { readonly isJson: boolean; readonly value?: Json | undefined } {
  if (text.trim() === "") return { isJson: true, value: undefined };
  try {
    return { isJson: true, value: JSON.parse(text) as Json };
  } catch {
    return { isJson: false };
  }
}
