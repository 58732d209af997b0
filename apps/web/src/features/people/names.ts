import type { Agent } from "@roster/client";
import { localBoardUserId } from "@roster/contract";
import { useMemo } from "react";
import { useAsk } from "../../api/queries.ts";
import { useCompany } from "../../app/company.ts";

/** The agents of the company, by their ids. */
export function useAgents(): ReadonlyMap<string, Agent> {
  const { id } = useCompany();
  const { data } = useAsk("agents.list", { params: { companyId: id }, query: { limit: 200 } });
  return useMemo(() => new Map((data?.items ?? []).map((agent) => [agent.id, agent])), [data]);
}

/** Who somebody is, by the id of an agent or of a person. */
export function useNameOf(): (agentId: string | null, userId: string | null) => string {
  const agents = useAgents();
  const { data } = useAsk("auth.session", {});
  return (agentId, userId) => {
    if (agentId !== null) return agents.get(agentId)?.name ?? "An agent";
    if (userId === null) return "Nobody";
    if (userId === localBoardUserId) return "The board";
    return userId === data?.user.id ? "You" : "A person";
  };
}
