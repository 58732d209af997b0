import type { Client } from "@roster/client";
import { typicalAgent } from "./typical-agent.ts";

type Wish = ReturnType<typeof typicalAgent> & { readonly reportsTo?: string };

/** Makes an agent that can call the service, and answers its key's token. */
export async function agentWithKey(
  board: Client,
  companyId: string,
  body: Wish = typicalAgent("Engineer"),
): Promise<{ agentId: string; token: string }> {
  const { id: agentId } = await board.agents.create({ params: { companyId }, body });
  const { token } = await board.agentKeys.create({ params: { agentId }, body: {} });
  return { agentId, token: token ?? "" };
}

/** The header by which an agent says who it is. */
export const bearer = (token = "") => ({ authorization: `Bearer ${token}` });
