import type { Role } from "@roster/client";
import type { OperationName } from "../api/operations.ts";
import { useAsk } from "../api/queries.ts";
import { useCompany } from "./company.ts";
import { mayCall, type Standing } from "./may-call.ts";

/** The role of whoever looks at the page; the local board has the strongest. */
function useOwnRole(): { readonly role: Role | null; readonly isPending: boolean } {
  const { id } = useCompany();
  const { data } = useAsk("auth.session", {});
  const isLocal = data?.session === null;
  const memberId = data?.user.id;
  const own = useAsk(
    "members.getName",
    isLocal || memberId === undefined ? null : { params: { companyId: id, memberId } },
  );
  if (isLocal) return { role: "owner", isPending: false };
  return { role: own.data?.role ?? null, isPending: own.isPending };
}

/** True until it was answered once what whoever looks at the page may do: nothing is offered before. */
export const useIsStandingPending = (): boolean => useOwnRole().isPending;

/** What whoever looks at the page is in this company. */
export function useStanding(): Standing {
  const { data } = useAsk("auth.session", {});
  const { role } = useOwnRole();
  return { role, isInstanceAdmin: data?.user.isInstanceAdmin === true };
}

/** Whether whoever looks at the page may do this in the company; what may not be done is not offered. */
export function useMay(name: OperationName): boolean {
  return mayCall(name, useStanding());
}
