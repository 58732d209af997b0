import type { JsonObject } from "@roster/client";
import type { ReactNode } from "react";
import { TextField } from "../../design/field.tsx";

type Json = JsonObject[string];

interface Parts {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: Json | undefined;
  readonly wrong?: string | undefined;
  readonly placeholder?: string;
  readonly onChange: (value: Json | undefined) => void;
}

/** A whole number; nothing where it is empty. What is no number stays as it was typed, and is said to be none. */
export function NumberField({ label, hint, value, wrong, placeholder, onChange }: Parts): ReactNode {
  const typed = value === undefined || value === null ? "" : String(value);
  const isWrong = typed !== "" && typeof value !== "number";
  return (
    <TextField
      label={label}
      hint={hint}
      inputMode="numeric"
      placeholder={placeholder}
      value={typed}
      wrong={isWrong ? "A whole number" : wrong}
      onChange={({ target }) => onChange(numberIn(target.value))}
    />
  );
}

function numberIn(typed: string): Json | undefined {
  if (typed.trim() === "") return undefined;
  return /^\s*\d{1,15}\s*$/.test(typed) ? Number(typed) : typed;
}
