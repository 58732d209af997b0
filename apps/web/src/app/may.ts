import type { OperationName } from "../api/operations.ts";
import { useAsk } from "../api/queries.ts";
import { useCompany } from "./company.ts";
import { mayCall, type Standing } from "./may-call.ts";

/** What whoever looks at the page is in this company. The local board is everything. */
export function useStanding(): Standing {
  const { id } = useCompany();
  const { data } = useAsk("auth.session", {});
  const isLocal = data?.session === null;
  const memberId = data?.user.id;
  const own = useAsk(
    "members.getName",
    isLocal || memberId === undefined ? null : { params: { companyId: id, memberId } },
  );
  return { role: isLocal ? "owner" : (own.data?.role ?? null), isInstanceAdmin: data?.user.isInstanceAdmin === true };
}

/** Whether whoever looks at the page may do this in the company; what may not be done is not offered. */
export function useMay(name: OperationName): boolean {
  return mayCall(name, useStanding());
}
