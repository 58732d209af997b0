import { localBoardUserId } from "@roster/contract";
import { buildRun, firstEpoch } from "./build-run.ts";
import { buildMember, buildSession } from "./entrances.ts";
import type { Place, World } from "./world.ts";

/**
 * How to make an entity, by the word that stands before `Id` in paths. Only kinds that need more than the contract can
 * say are here: for the others the sweep calls the operation whose answers stand where such a path leads.
 */
export const entityBuilders: Readonly<Record<string, (world: World, place: Place) => Promise<string>>> = {
  company: async ({ server, next }) => {
    const n = next();
    const body = { name: `Company ${n}`, issuePrefix: `C${n.toString(36).toUpperCase()}` };
    return (await server.board.companies.create({ body })).id;
  },
  agent: async ({ server, next }, { companyId }) => {
    const permissions = { canCreateAgents: true, canManageSkills: true, canAssignTasks: true };
    const body = { name: `Agent ${next()}`, adapterType: "claude_local", permissions };
    return (await server.board.agents.create({ params: { companyId }, body })).id;
  },
  // Anything will do for what may be of any kind.
  entity: (world, place) => world.build("issue", place),
  // The first of two, so that there is something to go back to.
  revision: async (world, place) => {
    const agentId = place.params["agentId"] ?? (await world.build("agent", place));
    const { board } = world.server;
    const { items } = await board.configurations.listRevisions({ params: { agentId } });
    await board.agents.change({ params: { agentId }, body: { budgetMonthlyCents: world.next() } });
    return items.at(-1)?.id ?? "";
  },
  skill: async ({ server, next }, { companyId }) => {
    const name = `sample-${next()}`;
    const files = { "SKILL.md": `---\nname: ${name}\ndescription: A sample.\n---\nWork.\n` };
    const { imported } = await server.board.skills.import({ params: { companyId }, body: { files } });
    return imported[0]?.id ?? "";
  },
  approval: async ({ server, next }, { companyId, params }) => {
    const body = { name: `Hire ${next()}`, adapterType: "claude_local" };
    const { approval } = await server.board.hires.request({ params: { companyId }, body });
    if (approval === null) throw new Error("the company hires without approval");
    const issueId = params["issueId"];
    if (issueId !== undefined)
      await server.board.approvals.link({ params: { issueId }, body: { approvalId: approval.id } });
    return approval.id;
  },
  run: async (world, { companyId }) => (await buildRun(world, companyId)).id,
  attention: async (world, { companyId }) => {
    const { id: runId, agentId, runner } = await buildRun(world, companyId);
    const outcome = { code: "auth_failed", message: "It may not sign in." } as const;
    await world.server.as(runner.token).runners.settle({ params: { runId }, body: { epoch: firstEpoch, outcome } });
    const { items } = await world.server.board.attention.list({ params: { companyId }, query: { entityId: agentId } });
    return items[0]?.id ?? "";
  },
  user: ({ board }) => Promise.resolve(board.userId ?? localBoardUserId),
  member: (world, { companyId }) => buildMember(world, companyId),
  session: (world) => buildSession(world, world.board.userId),
};

/** Kinds that belong to the deployment, not to a company. */
export const instanceKinds: ReadonlySet<string> = new Set(["user", "session", "runner"]);

/** Values for path parameters that are no ids, by their names. */
export const pathValues: Readonly<Record<string, (world: World, place: Place) => Promise<string>>> = {
  contentHash: async (world, place) => {
    const skillId = await world.build("skill", place);
    return (await world.server.board.skills.get({ params: { skillId } })).contentHash;
  },
};

/** States that no single call leads to, by the same word: how to bring the entity of a place into them. */
export const entityStates: Readonly<Record<string, Readonly<Record<string, StateMaker>>>> = {
  run: {
    exhausted: async ({ server }, { params }) => {
      const runId = params["runId"] ?? "";
      await server.database.driver`delete from leases where run_id = ${runId}`;
      await server.database.driver`
        update runs set status = 'queued', runner_id = null, exhausted = true, priority = 2 where id = ${runId}`;
    },
  },
  agent: {
    error: async ({ server }, { params }) => {
      await server.database.driver`update agents set status = 'error' where id = ${params["agentId"] ?? ""}`;
    },
    equipped: async (world, place) => {
      const skill = await world.build("skill", place);
      const agentId = place.params["agentId"] ?? "";
      await world.server.board.configurations.syncSkills({ params: { agentId }, body: { desiredSkills: [skill] } });
    },
  },
};

/** Brings an entity into a state. */
export type StateMaker = (world: World, place: Place) => Promise<void>;
