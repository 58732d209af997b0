import type { Contract } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import type { Scope } from "../../platform/scope.ts";
import { changeAgent } from "./change-agent.ts";
import { type CreationNeeds, createAgent } from "./create-agent.ts";
import { clearError, pauseAgent, resumeAgent, type StopNeeds, terminateAgent } from "./move-agent.ts";
import { orgOf } from "./org.ts";
import { presentAgent, presentMe, versionedAgent } from "./present.ts";
import { getAgent, getMe, listAgents, listPlaces } from "./store.ts";

/** Most agents the reporting tree shows. */
const largestOrg = 5000;

interface Needs extends CreationNeeds, StopNeeds {
  /** Whether a run of the agent is under way. */
  readonly isAtWork: (scope: Scope, agentId: string) => Promise<boolean>;
}

/** Operations on agents. */
export const agentHandlers = (needs: Needs): HandlersOf<Contract["agents"]> => ({
  list: async (scope, { query: { limit, cursor, status } }) => {
    const rows = await listAgents(scope, { limit: limit + 1, before: decodeCursor(cursor, isId), status });
    return pageOf(rows, limit, (row) => row.id, presentAgent);
  },
  create: async (change, { body }) => versionedAgent(await createAgent(change, needs, body)),
  org: async (scope) => {
    const places = await listPlaces(scope, largestOrg + 1);
    return { roots: orgOf(places.slice(0, largestOrg)), truncated: places.length > largestOrg };
  },
  me: async (scope) => presentMe(await getMe(scope, callingAgent(scope)), scope.caller),
  get: async (scope, { params }) => versionedAgent(await getAgent(scope, params.agentId)),
  change: async (change, { params, body, ifMatch }) =>
    versionedAgent(await changeAgent(change, needs.keys, { agentId: params.agentId, ifMatch }, body)),
  pause: async (change, { params, ifMatch }) =>
    versionedAgent(await pauseAgent(change, { agentId: params.agentId, ifMatch }, "board", needs)),
  resume: async (change, { params, ifMatch }) =>
    versionedAgent(await resumeAgent(change, { agentId: params.agentId, ifMatch })),
  terminate: async (change, { params, ifMatch }) =>
    versionedAgent(await terminateAgent(change, { agentId: params.agentId, ifMatch }, needs)),
  clearError: async (change, { params, ifMatch }) =>
    versionedAgent(await clearError(change, { agentId: params.agentId, ifMatch }, needs)),
});

function callingAgent({ caller }: Scope): string {
  if (caller.kind !== "agent") throw new Error("the permission table let someone else than an agent in");
  return caller.agentId;
}
