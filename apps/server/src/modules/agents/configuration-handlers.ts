import type { AgentSkills, Contract, Difference, TextDifference } from "@roster/contract";
import { decodeCursor, type HandlersOf, pageOf } from "../../platform/http/index.ts";
import { isId } from "../../platform/ids.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { skillVersionsOf } from "../skills/index.ts";
import { blame } from "./blame.ts";
import { contentDifferences, plainContent, redactedContent } from "./content.ts";
import { instructionDifferences } from "./instruction-texts.ts";
import { presentAgent } from "./present.ts";
import {
  presentConfiguration,
  presentRevision,
  presentRevisionWithContent,
  presentSkills,
} from "./present-configuration.ts";
import { findRevision, getRevision, listRevisions } from "./revision-store.ts";
import { rollBackAgent } from "./roll-back-agent.ts";
import { type AgentValues, getAgent, listConfigurations } from "./store.ts";
import { syncSkills } from "./sync-skills.ts";

/** Operations on what makes agents behave as they do. */
export const configurationHandlers: HandlersOf<Contract["configurations"]> = {
  list: async (scope, { query: { limit, cursor } }) => {
    const rows = await listConfigurations(scope, { limit: limit + 1, before: decodeCursor(cursor, isId) });
    return pageOf(rows, limit, ({ agent }) => agent.id, presentConfiguration);
  },
  get: async (scope, { params }) => {
    const [row] = await listConfigurations(scope, { limit: 1, before: null, id: params.agentId });
    if (row === undefined) throw new Missing("agent", params.agentId);
    return { version: row.agent.version, body: presentConfiguration(row) };
  },
  listRevisions: async (scope, { params, query: { limit, cursor } }) => {
    const key = decodeCursor(cursor, (text) => /^\d{1,9}$/.test(text));
    const page = { agentId: params.agentId, limit: limit + 1, before: key === null ? null : Number(key) };
    const rows = await listRevisions(scope, page);
    if (rows.length === 0) await getAgent(scope, params.agentId);
    return pageOf(rows, limit, (row) => row.number, presentRevision);
  },
  blame: (scope, { params, query }) => blame(scope, params.agentId, query.path),
  getRevision: async (scope, { params }) =>
    presentRevisionWithContent(await getRevision(scope, params.agentId, params.revisionId)),
  diff: (scope, { params, query }) => diff(scope, params, query.against),
  rollback: async (change, { params, ifMatch }) => {
    const { agentId, revisionId } = params;
    const { agent, revision } = await rollBackAgent(change, { agentId, ifMatch }, revisionId);
    return { version: agent.version, body: { agent: presentAgent(agent), revision: presentRevision(revision) } };
  },
  getSkills: async (scope, { params }) => skillsOf(scope, await getAgent(scope, params.agentId)),
  syncSkills: async (change, { params, body }) => skillsOf(change, await syncSkills(change, params.agentId, body)),
};

async function skillsOf(scope: Scope, agent: AgentValues): Promise<AgentSkills> {
  const keys = agent.skills.map(({ key }) => key);
  return presentSkills(agent, await skillVersionsOf(scope, keys));
}

async function diff(
  scope: Scope,
  { agentId, revisionId }: { agentId: string; revisionId: string },
  against: string | undefined,
): Promise<{ differences: Difference[]; texts: TextDifference[] }> {
  const revision = await getRevision(scope, agentId, revisionId);
  const other =
    against === undefined
      ? await findRevision(scope, agentId, revision.number - 1)
      : await getRevision(scope, agentId, against, "against");
  return {
    differences: contentDifferences(other && redactedContent(other.content), redactedContent(revision.content)),
    texts: instructionDifferences(other === null ? {} : plainContent(other.content), plainContent(revision.content)),
  };
}
