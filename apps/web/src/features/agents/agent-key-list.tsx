import type { Agent, AgentKey } from "@roster/client";
import { type FormEvent, type ReactNode, useState } from "react";
import { useCommand, usePages } from "../../api/queries.ts";
import { useMay } from "../../app/may.ts";
import { Button } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { CopyText } from "../../design/copy-text.tsx";
import { TextField } from "../../design/field.tsx";
import { Moment } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { Card, Rows } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";

/** The long-lived credentials of an agent. A run needs none: each has one of its own. */
export function AgentKeyList({ agent }: { readonly agent: Agent }): ReactNode {
  const may = useMay("agentKeys.create");
  if (!may) return <p className="text-ink-soft">Only operators see the keys of agents.</p>;
  return <Keys agent={agent} />;
}

function Keys({ agent }: { readonly agent: Agent }): ReactNode {
  const params = { agentId: agent.id };
  const { items, query } = usePages("agentKeys.list", { params, query: {} });
  const canHold = agent.status !== "terminated" && agent.status !== "pending_approval";
  return (
    <>
      <p className="max-w-2xl text-ink-soft text-sm">
        A key lets a program of yours speak as {agent.name} for as long as it is not revoked. Runs need none: each gets
        a credential of its own, which dies with it.
      </p>
      {items.length > 0 && (
        <Rows label="Keys">
          {items.map((key) => (
            <KeyRow key={key.id} agentKey={key} />
          ))}
        </Rows>
      )}
      {items.length === 0 && !query.isPending && query.error === null && <p className="text-ink-soft">It has none.</p>}
      <MoreButton query={query} />
      {canHold && <NewKey agentId={agent.id} />}
    </>
  );
}

function KeyRow({ agentKey: { id, agentId, name, prefix, createdAt, expiresAt } }: { readonly agentKey: AgentKey }) {
  const [isAsked, setAsked] = useState(false);
  const revoke = useCommand("agentKeys.revoke", () => {
    toast(`${name} is revoked`);
    setAsked(false);
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-48 flex-1">
        <p className="font-medium">{name}</p>
        <p className="text-ink-faint text-sm">
          <code className="font-mono text-xs">{prefix}…</code> · made <Moment at={createdAt} />
          {expiresAt !== null && (
            <>
              {" "}
              · good until <Moment at={expiresAt} />
            </>
          )}
        </p>
      </div>
      <Button look="danger" onClick={() => setAsked(true)} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
      {isAsked && (
        <Confirm
          title={`Revoke ${name}?`}
          verb="Revoke it"
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate({ params: { agentId, keyId: id } })}
          onClose={() => setAsked(false)}
        >
          Whatever uses it is refused from now on. It cannot be taken back; a new key can be made.
        </Confirm>
      )}
    </li>
  );
}

function NewKey({ agentId }: { readonly agentId: string }): ReactNode {
  const [name, setName] = useState("");
  const create = useCommand("agentKeys.create", () => setName(""));
  const token = create.data?.token;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate({ params: { agentId }, body: name.trim() === "" ? {} : { name } });
  };
  return (
    <Card className="flex flex-col gap-4 p-4">
      <form onSubmit={submit} className="flex flex-wrap items-start gap-2">
        <div className="w-64 max-w-full">
          <TextField
            bare
            label="Name of a new key"
            placeholder="What it is for"
            value={name}
            wrong={wrongAt(create.error, "name")}
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        <Button type="submit" className="h-9 md:h-9" busy={create.isPending}>
          Make a key
        </Button>
      </form>
      <Refusal error={create.error} saidAt={["name"]} />
      {typeof token === "string" && (
        <div role="status" className="flex flex-col gap-2 rounded-md bg-warn-soft p-3">
          <p className="text-sm text-warn">It is shown this once. Take it now; nobody can show it again.</p>
          <CopyText label={`The key ${create.data?.name ?? ""}`} text={token} />
          <Button className="self-start" onClick={() => create.reset()}>
            I have it
          </Button>
        </div>
      )}
    </Card>
  );
}
