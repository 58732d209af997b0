import type { Contract } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import { type Caller, isLocalBoard } from "../../platform/scope.ts";
import { changeCompany } from "./change-company.ts";
import { createCompany } from "./create-company.ts";
import { moveCompany, type StopNeeds } from "./move-company.ts";
import { presentCompany, versionedCompany } from "./present.ts";
import { type CompanyFilter, getCompany, listCompanies } from "./store.ts";

/** Operations on companies. */
export const companyHandlers = (needs: StopNeeds): HandlersOf<Contract["companies"]> => ({
  list: async (scope, { query: { limit, cursor, issuePrefix } }) => {
    const before = decodeCursor(cursor, isId);
    const rows = await listCompanies(scope, { limit: limit + 1, before, issuePrefix, ...visibleTo(scope.caller) });
    return pageOf(rows, limit, (row) => row.id, presentCompany);
  },
  create: async (change, { body }) => versionedCompany(await createCompany(change, body)),
  get: async (scope) => versionedCompany(await getCompany(scope)),
  change: async (change, { body, ifMatch }) => versionedCompany(await changeCompany(change, body, ifMatch)),
  pause: async (change, { ifMatch }) => versionedCompany(await moveCompany(change, needs, "pause", ifMatch)),
  resume: async (change, { ifMatch }) => versionedCompany(await moveCompany(change, needs, "resume", ifMatch)),
  archive: async (change, { ifMatch }) => versionedCompany(await moveCompany(change, needs, "archive", ifMatch)),
});

function visibleTo(caller: Caller): CompanyFilter {
  if (caller.kind === "agent") return { id: caller.companyId };
  return caller.kind === "board" && !isLocalBoard(caller) ? { memberId: caller.userId } : {};
}
