import type { Agent, MemberName } from "@roster/client";
import { localBoardUserId } from "@roster/contract";
import { useMemo } from "react";
import { useAllPages, useAsk } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";

/** The agents of the company, by their ids. */
export function useAgents(): ReadonlyMap<string, Agent> {
  const { id } = useCompany();
  const { items } = useAllPages("agents.list", { params: { companyId: id }, query: { limit: 200 } });
  return useMemo(() => new Map(items.map((agent) => [agent.id, agent])), [items]);
}

/** The people of the company, by their ids; nobody where nobody signs in. */
export function usePeople(): ReadonlyMap<string, MemberName> {
  const { id } = useCompany();
  const { data } = useAsk("members.listNames", { params: { companyId: id }, query: { limit: 200 } });
  return useMemo(() => new Map((data?.items ?? []).map((person) => [person.id, person])), [data]);
}

/** Who somebody is, by the id of an agent or of a person. */
export function useNameOf(): (agentId: string | null, userId: string | null) => string {
  const agents = useAgents();
  const people = usePeople();
  const { data } = useAsk("auth.session", {});
  return (agentId, userId) => {
    if (agentId !== null) return agents.get(agentId)?.name ?? "An agent";
    if (userId === null) return "Nobody";
    if (userId === localBoardUserId) return "The board";
    if (userId === data?.user.id) return "You";
    return people.get(userId)?.name ?? "A former member";
  };
}
