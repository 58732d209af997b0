import type { Invitation } from "@roster/client";
import type { ReactNode } from "react";
import { useCommand, usePages } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { Button } from "../../design/button.tsx";
import { Moment } from "../../design/measures.tsx";
import { MoreButton } from "../../design/more-button.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { Rows, Section } from "../../design/surface.tsx";
import { toast } from "../../design/toast.tsx";
import { wordsOf } from "../../design/words.ts";

/** Who was invited and has not come yet. */
export function Invitations(): ReactNode {
  const { id } = useCompany();
  const { items, query } = usePages("invitations.list", { params: { companyId: id }, query: {} });
  return (
    <Section title="Open invitations">
      {items.length > 0 ? (
        <Rows label="Open invitations">
          {items.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </Rows>
      ) : (
        query.isSuccess && <p className="text-ink-faint text-sm">Nobody is invited who has not come.</p>
      )}
      <MoreButton query={query} />
    </Section>
  );
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }): ReactNode {
  const { id: companyId } = useCompany();
  const { id: invitationId, email, role, expiresAt } = invitation;
  const revoke = useCommand("invitations.revoke", () => toast(`The invitation of ${email} is taken back`));
  return (
    <li className="flex flex-col gap-2 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-48 flex-col">
          <span className="truncate font-medium">{email}</span>
          <span className="text-ink-faint text-xs">
            {wordsOf(role)} · runs out <Moment at={expiresAt} />
          </span>
        </div>
        <Button
          busy={revoke.isPending}
          aria-label={`Take back the invitation of ${email}`}
          onClick={() => revoke.mutate({ params: { companyId, invitationId } })}
        >
          Take back
        </Button>
      </div>
      <Refusal error={revoke.error} />
    </li>
  );
}
