import type { Secret } from "@roster/client";
import type { ReactNode } from "react";
import { useAllPages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Badge } from "../../design/badge.tsx";
import { Rows, Section } from "../../design/surface.tsx";
import { useAdapters } from "../agents/use-adapters.ts";
import type { Proposed } from "./proposed.ts";
import { type Touch, touchesOf } from "./touches-of.ts";

/** What a proposed agent could reach and do: its permissions, its program, the secrets that it would have. */
export function Touches({ agent }: { readonly agent: Proposed }): ReactNode {
  const { id } = useCompany();
  const { adapters } = useAdapters();
  const { items } = useAllPages("secrets.list", { params: { companyId: id }, query: { limit: 200 } });
  const names = new Map(items.map((secret: Secret) => [secret.id, secret.name]));
  const schema = adapters.find(({ type }) => type === agent.adapterType)?.settings ?? {};
  return (
    <Section title="What it may touch">
      <Rows label="What it may touch">
        {touchesOf(agent, schema, names).map((touch) => (
          <TouchRow key={touch.what} touch={touch} />
        ))}
      </Rows>
    </Section>
  );
}

function TouchRow({ touch: { what, detail, isGrave } }: { readonly touch: Touch }): ReactNode {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
      <span className="min-w-48 flex-1">
        {what}
        {detail !== null && <span className="block break-words text-ink-faint text-xs">{detail}</span>}
      </span>
      {isGrave && <Badge tone="warn">Look at this</Badge>}
    </li>
  );
}
