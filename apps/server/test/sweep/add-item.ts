import { allOperations, type NamedOperation } from "@roster/contract";
import { entrust, firstEpoch, runnerToken } from "./build-run.ts";
import { callOf } from "./input.ts";
import { sampleSource, validInputs } from "./valid-inputs.ts";
import type { Place, World } from "./world.ts";

/** Adds one item to a list, at the place of the list. Answers what went wrong. */
export type AddItem = () => Promise<string[]>;

type Adder = (world: World, place: Place) => Promise<unknown>;

const build =
  (kind: string): Adder =>
  (world, { companyId }) =>
    world.build(kind, { companyId, params: {} });

/** How an item comes into a list that has no POST at its own path, by the list's operation. */
const adders: Readonly<Record<string, Adder>> = {
  "activity.list": build("issue"),
  "activity.events": build("issue"),
  "activity.listInstance": build("runner"),
  "attention.list": build("attention"),
  "auth.listSessions": (world) => world.build("session", { companyId: world.home, params: {} }),
  "configurations.list": build("agent"),
  "configurations.listRevisions": ({ server, next }, { params: { agentId = "" } }) =>
    server.board.agents.change({ params: { agentId }, body: { budgetMonthlyCents: next() } }),
  "costs.byAgent": reportCost,
  "costs.byModel": reportCost,
  "members.list": build("member"),
  "members.listNames": build("member"),
  // Waiting for a runner: more runs under way would be more for a stop of the deployment to end.
  "runs.list": async (world, { companyId }) => {
    const agentId = await world.build("agent", { companyId, params: {} });
    await world.server.board.runs.wakeup({ params: { agentId }, body: {} });
  },
  "runs.events": async (world, { companyId, params: { runId = "" } }) => {
    const runner = await runnerToken(world, [companyId]);
    await entrust(world, runId, runner.id);
    const told = { kind: "output", stream: "stdout", offset: 1000 + world.next(), length: 1, text: "." } as const;
    const body = { epoch: firstEpoch, events: [told] };
    await world.server.as(runner.token).runners.events({ params: { runId }, body });
  },
  "skills.list": build("skill"),
  "skills.listVersions": async ({ server, next }, { params: { skillId = "" } }) => {
    const { companyId, name } = await server.board.skills.get({ params: { skillId } });
    const files = { "SKILL.md": `---\nname: ${name}\ndescription: A sample.\n---\nVersion ${next()}.\n` };
    await server.board.skills.import({ params: { companyId }, body: { files } });
  },
  "approvals.listIssues": async (world, { companyId, params: { approvalId = "" } }) => {
    const issueId = await world.build("issue", { companyId, params: {} });
    await world.server.board.approvals.link({ params: { issueId }, body: { approvalId } });
  },
  "approvals.listVersions": async ({ server: { board }, next }, { params: { approvalId = "" } }) => {
    await board.approvals.requestRevision({ params: { approvalId }, body: {} });
    await board.approvals.resubmit({ params: { approvalId }, body: { payload: { title: `Title ${next()}` } } });
  },
};

async function reportCost(world: World, { companyId }: Place): Promise<void> {
  const agentId = await world.build("agent", { companyId, params: {} });
  const body = { agentId, provider: "sweep", model: `model-${world.next()}`, costCents: 1 };
  await world.server.board.costs.report({ params: { companyId }, body });
}

/** How items come into a list: by the POST on the same path, or as it is said above; null for who knows neither. */
export function itemAdder(world: World, { name, operation }: NamedOperation, place: Place): AddItem | null {
  const known = adders[name];
  if (known !== undefined) {
    return async () => {
      await known(world, place);
      return [];
    };
  }
  const maker = allOperations().find(({ operation: { path, method } }) => path === operation.path && method === "POST");
  return maker === undefined ? null : () => postItem(world, maker, place);
}

async function postItem(world: World, maker: NamedOperation, place: Place): Promise<string[]> {
  const input = await validInputs(maker)[0]?.make(sampleSource(world, world.board, place));
  const answer = await world.wire.send(callOf(maker, world.board, place, input));
  return answer.status < 300 ? [] : [`${maker.name} added nothing: ${answer.status} ${answer.text.slice(0, 200)}`];
}
