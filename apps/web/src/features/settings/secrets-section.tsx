import type { Secret } from "@roster/client";
import { KeyRound, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useAsk, usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { Button } from "../../design/button.tsx";
import { Moment } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { EmptyState, Rows, Section } from "../../design/surface.tsx";
import { NewSecret, RotateSecret } from "./secret-dialogs.tsx";
import { UsedBy } from "./used-by.tsx";
import { type Use, usesOfSecrets } from "./uses.ts";

/** Names of what nobody is shown, and who uses it. */
export function SecretsSection(): ReactNode {
  const { id } = useCompany();
  const params = { companyId: id };
  const { items, query } = usePages("secrets.list", { params, query: {} });
  const { data } = useAsk("configurations.list", { params, query: { limit: 200 } });
  const mayCreate = useMay("secrets.create");
  const [isOpen, setOpen] = useState(false);
  const uses = usesOfSecrets(data?.items ?? []);
  const add = (
    <Button icon={<Plus size={14} aria-hidden="true" />} onClick={() => setOpen(true)}>
      New secret
    </Button>
  );
  return (
    <Section title="Secrets" aside={mayCreate && add}>
      <p className="max-w-prose text-ink-soft text-sm">
        A value is sealed when it is stored, and shown to nobody again. Agents get it in the environment of their runs,
        by its name.
      </p>
      {items.length > 0 && (
        <Rows label="Secrets">
          {items.map((secret) => (
            <SecretRow key={secret.id} secret={secret} uses={uses.get(secret.id) ?? []} />
          ))}
        </Rows>
      )}
      {query.isSuccess && items.length === 0 && (
        <EmptyState icon={<KeyRound />} title="There are no secrets">
          What is given to an agent as a secret of its own is kept here too.
        </EmptyState>
      )}
      <MoreButton query={query} />
      {isOpen && <NewSecret onClose={() => setOpen(false)} />}
    </Section>
  );
}

function SecretRow({ secret, uses }: { readonly secret: Secret; readonly uses: readonly Use[] }): ReactNode {
  const mayRotate = useMay("secrets.rotate");
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-0.5">
        <span className="break-all font-mono text-sm">{secret.name}</span>
        {secret.description !== null && <span className="text-ink-soft text-sm">{secret.description}</span>}
        <span className="text-ink-faint text-xs">
          version {secret.latestVersion}, <Moment at={secret.updatedAt} /> · <UsedBy uses={uses} />
        </span>
      </div>
      {mayRotate && (
        <Button aria-label={`New value of ${secret.name}`} onClick={() => setOpen(true)}>
          New value
        </Button>
      )}
      {isOpen && <RotateSecret secret={secret} onClose={() => setOpen(false)} />}
    </li>
  );
}
