import type { Member, Role } from "@roster/client";
import { UserMinus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useAsk, useCommand } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";
import { useStanding } from "../../app/may.ts";
import { Badge } from "../../design/badge.tsx";
import { IconButton } from "../../design/button.tsx";
import { Confirm } from "../../design/confirm.tsx";
import { Select } from "../../design/field.tsx";
import { Moment } from "../../design/measures.tsx";
import { Refusal } from "../../design/refusal.tsx";
import { toast } from "../../design/toast.tsx";
import { wordsOf } from "../../design/words.ts";
import { rolesWithin } from "./reach.ts";

/** One member, as who has the members sees it. */
export function MemberRow({ member }: { readonly member: Member }): ReactNode {
  const { id: companyId } = useCompany();
  const { data } = useAsk("auth.session", {});
  const within = rolesWithin(useStanding().role);
  const change = useCommand("members.change", ({ name, role }) => toast(`${name} is ${role} now`));
  const [asksToRemove, setAsksToRemove] = useState(false);
  const { id: memberId, name, email, role } = member;
  const isWithin = within.includes(role);
  return (
    <li className="flex flex-col gap-2 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-48 flex-col">
          <span className="truncate font-medium">
            {name}
            {data?.user.id === memberId && <span className="text-ink-faint"> (you)</span>}
          </span>
          <span className="truncate text-ink-faint text-xs">
            {email} · joined <Moment at={member.createdAt} />
          </span>
        </div>
        {isWithin ? (
          <div className="flex items-center gap-1">
            <div className="w-32">
              <Select
                label={`Role of ${name}`}
                bare
                value={change.isPending ? change.variables.body?.role : role}
                disabled={change.isPending}
                onChange={({ target }) =>
                  change.mutate({ params: { companyId, memberId }, body: { role: target.value as Role } })
                }
              >
                {within.map((given) => (
                  <option key={given} value={given}>
                    {wordsOf(given)}
                  </option>
                ))}
              </Select>
            </div>
            <IconButton label={`Remove ${name}`} onClick={() => setAsksToRemove(true)}>
              <UserMinus size={16} aria-hidden="true" />
            </IconButton>
          </div>
        ) : (
          <Badge>{wordsOf(role)}</Badge>
        )}
      </div>
      <Refusal error={change.error} />
      {asksToRemove && <RemoveMember member={member} onClose={() => setAsksToRemove(false)} />}
    </li>
  );
}

function RemoveMember({ member, onClose }: { readonly member: Member; readonly onClose: () => void }): ReactNode {
  const { id: companyId, name } = useCompany();
  const remove = useCommand("members.remove", () => {
    toast(`${member.name} is no member any more`);
    onClose();
  });
  return (
    <Confirm
      title={`Remove ${member.name}?`}
      verb="Remove"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { companyId, memberId: member.id } })}
      onClose={onClose}
    >
      {member.name} sees nothing of {name} from that moment on. What was done stays under the name.
    </Confirm>
  );
}
