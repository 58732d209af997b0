import type { Role } from "@roster/client";
import { Plus } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useStanding } from "../../app/may.ts";
import { Button } from "../../design/button.tsx";
import { CopyText } from "../../design/copy-text.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Select, TextField } from "../../design/field.tsx";
import { Refusal, wrongAt } from "../../design/refusal.tsx";
import { wordsOf } from "../../design/words.ts";
import { rolesWithin } from "./reach.ts";

/** Invites a person; the link is shown once. */
export function InviteButton(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Plus size={14} aria-hidden="true" />} onClick={() => setOpen(true)}>
        Invite
      </Button>
      {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function InviteDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { id, name } = useCompany();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("operator");
  const within = rolesWithin(useStanding().role);
  const invite = useCommand("invitations.create");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    invite.mutate({ params: { companyId: id }, body: { email, role } });
  };
  if (invite.data !== undefined) return <Invited email={email} token={invite.data.token ?? ""} onClose={onClose} />;
  return (
    <Dialog title={`Invite somebody to ${name}`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="E-mail address"
          type="email"
          required
          value={email}
          hint="Roster sends nothing: you get a link, and pass it on."
          wrong={wrongAt(invite.error, "email")}
          onChange={({ target }) => setEmail(target.value)}
        />
        <Select
          label="Role"
          value={role}
          wrong={wrongAt(invite.error, "role")}
          onChange={({ target }) => setRole(target.value as Role)}
        >
          {within.map((given) => (
            <option key={given} value={given}>
              {wordsOf(given)}
            </option>
          ))}
        </Select>
        <Refusal error={invite.error} saidAt={["email", "role"]} />
        <Button type="submit" look="primary" className="self-end" busy={invite.isPending}>
          Make the link
        </Button>
      </form>
    </Dialog>
  );
}

interface InvitedParts {
  readonly email: string;
  readonly token: string;
  readonly onClose: () => void;
}

function Invited({ email, token, onClose }: InvitedParts): ReactNode {
  return (
    <Dialog title="The link is ready" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">
          Give it to {email}. Whoever opens it comes in, once, within seven days. It is shown only now.
        </p>
        <CopyText label="Link" text={`${window.location.origin}/#invitation=${encodeURIComponent(token)}`} />
        <Button look="primary" className="self-end" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
