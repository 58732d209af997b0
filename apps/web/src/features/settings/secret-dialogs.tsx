import type { Secret } from "@roster/client";
import { type FormEvent, type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { TextArea, TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { toast } from "../../design/toast.tsx";

/** Stores a secret. */
export function NewSecret({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { id } = useCompany();
  const [form, setForm] = useState({ name: "", value: "", description: "" });
  const create = useCommand("secrets.create", ({ name }) => {
    toast(`${name} is stored`);
    onClose();
  });
  const { error } = create;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const description = form.description.trim() === "" ? null : form.description;
    create.mutate({ params: { companyId: id }, body: { ...form, description } });
  };
  return (
    <Dialog title="New secret" onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          required
          value={form.name}
          hint="Such as deploy/key: letters, digits and . _ / -"
          wrong={wrongAt(error, "name")}
          onChange={({ target }) => setForm({ ...form, name: target.value })}
        />
        <ValueField value={form.value} error={error} onType={(value) => setForm({ ...form, value })} />
        <TextField
          label="Description"
          value={form.description}
          wrong={wrongAt(error, "description")}
          onChange={({ target }) => setForm({ ...form, description: target.value })}
        />
        <Refusal error={error} saidAt={["name", "value", "description"]} />
        <Button type="submit" look="primary" className="self-end" busy={create.isPending}>
          Store
        </Button>
      </form>
    </Dialog>
  );
}

/** Stores another value under the same name. */
export function RotateSecret({
  secret,
  onClose,
}: {
  readonly secret: Secret;
  readonly onClose: () => void;
}): ReactNode {
  const [value, setValue] = useState("");
  const rotate = useCommand("secrets.rotate", ({ name, latestVersion }) => {
    toast(`${name} has version ${latestVersion}`);
    onClose();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rotate.mutate({ params: { secretId: secret.id }, body: { value } });
  };
  return (
    <Dialog title={`New value of ${secret.name}`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-ink-soft text-sm">
          Runs that start from now on get it where the latest version is asked for. Who named a version keeps that one.
        </p>
        <ValueField value={value} error={rotate.error} onType={setValue} />
        <Refusal error={rotate.error} saidAt={["value"]} />
        <Button type="submit" look="primary" className="self-end" busy={rotate.isPending}>
          Store as version {secret.latestVersion + 1}
        </Button>
      </form>
    </Dialog>
  );
}

interface ValueParts {
  readonly value: string;
  readonly error: unknown;
  readonly onType: (typed: string) => void;
}

/** It may have several lines, so it is no password field; it is shown to who types it, and to nobody later. */
function ValueField({ value, error, onType }: ValueParts): ReactNode {
  return (
    <TextArea
      label="Value"
      required
      spellCheck={false}
      autoComplete="off"
      className="font-mono text-sm"
      value={value}
      hint="At least 8 bytes. It is never shown again."
      wrong={wrongAt(error, "value")}
      onChange={({ target }) => onType(target.value)}
    />
  );
}
