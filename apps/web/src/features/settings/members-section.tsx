import type { MemberName } from "@roster/client";
import { Users } from "lucide-react";
import type { ReactNode } from "react";
import { useAsk, usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useMay } from "../../app/may.ts";
import { Badge } from "../../design/badge.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { EmptyState, Rows, Section } from "../../design/surface.tsx";
import { wordsOf } from "../../design/words.ts";
import { Invitations } from "./invitations.tsx";
import { InviteButton } from "./invite-button.tsx";
import { MemberRow } from "./member-row.tsx";

/** Who is in the company, and as what. */
export function MembersSection(): ReactNode {
  const { data } = useAsk("auth.session", {});
  const mayManage = useMay("members.list");
  if (data?.session === null) return <NobodySignsIn />;
  return mayManage ? <ManagedMembers /> : <KnownMembers />;
}

function NobodySignsIn(): ReactNode {
  return (
    <Section title="Members">
      <EmptyState icon={<Users />} title="Here nobody signs in">
        In local mode every person at this machine is the board, so there is nobody to invite. Where Roster is started
        in authenticated mode, people get an account by an invitation, with a role in each company.
      </EmptyState>
    </Section>
  );
}

function ManagedMembers(): ReactNode {
  const { id } = useCompany();
  const { items, query } = usePages("members.list", { params: { companyId: id }, query: {} });
  return (
    <>
      <Section title="Members" aside={<InviteButton />}>
        <Roles />
        {items.length > 0 && (
          <Rows label="Members">
            {items.map((member) => (
              <MemberRow key={member.id} member={member} />
            ))}
          </Rows>
        )}
        <MoreButton query={query} />
      </Section>
      <Invitations />
    </>
  );
}

function KnownMembers(): ReactNode {
  const { id } = useCompany();
  const { items, query } = usePages("members.listNames", { params: { companyId: id }, query: {} });
  return (
    <Section title="Members">
      <Roles />
      {items.length > 0 && (
        <Rows label="Members">
          {items.map((member) => (
            <KnownMember key={member.id} member={member} />
          ))}
        </Rows>
      )}
      <MoreButton query={query} />
    </Section>
  );
}

function KnownMember({ member: { name, role } }: { readonly member: MemberName }): ReactNode {
  return (
    <li className="flex items-center justify-between gap-3 px-4 py-2.5">
      <span className="min-w-0 truncate font-medium">{name}</span>
      <Badge>{wordsOf(role)}</Badge>
    </li>
  );
}

function Roles(): ReactNode {
  return (
    <p className="max-w-prose text-ink-soft text-sm">
      A viewer sees everything and changes nothing. An operator runs agents and decides. An admin also has the company,
      its members and secrets. An owner also has a say over owners.
    </p>
  );
}
