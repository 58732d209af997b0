import type { CallerRule, NamedOperation, Operation, RefusalCode } from "@roster/contract";
import { type BuiltRun, buildRun, entrust, firstEpoch, runnerToken, type SweepRunner } from "./build-run.ts";
import { unknownId } from "./sample.ts";
import { type Actor, idsOf, localBoard, ruleOf, type World } from "./world.ts";

/** What a valid call of an operation comes to: accepted; whatever the command decides; or refused with this code. */
export type Outcome = "accepted" | "decided" | RefusalCode;

/** A kind of caller. */
export interface CallerKind {
  /** Calls about what it may act on itself, where the rule says so (`own`), or about anything of the home company. */
  readonly about: "own" | "home";
  /** Only valid calls are tried, but of what only somebody in a run may call. */
  readonly isBrief?: true;
  /** Somebody of this kind, with a credential of its own. */
  make(world: World): Promise<Actor>;
  /** What the permission table says of a valid call. */
  expects(operation: Operation): Outcome;
  /** What the state of things then refuses a valid call with; the form of a call is looked at before. */
  lateRefusal?(operation: Operation): RefusalCode | undefined;
}

/** An agent with a key, which it is logged by. */
type AgentActor = Actor & { readonly keyId: string; readonly agent: { readonly id: string } };

/** An active agent of a company, with a key. */
async function agentIn(world: World, companyId: string, name: string): Promise<AgentActor> {
  const id = await world.build("agent", { companyId, params: {} });
  const { token, id: keyId } = await world.server.board.agentKeys.create({ params: { agentId: id }, body: {} });
  const headers = { authorization: `Bearer ${token}` };
  return { name, headers, logged: { kind: "agent", id }, agent: { id, companyId }, keyId };
}

/** An agent in a run of the home company, with the credential of the run. */
function agentInRun({ home }: World, name: string, { id: runId, agentId, credential }: BuiltRun): Actor {
  const headers = { authorization: `Bearer ${credential}` };
  return { name, headers, logged: { kind: "agent", id: agentId, runId }, agent: { id: agentId, companyId: home } };
}

/** A runner that holds a run which it never says it has, so that it is told of it at once whenever it asks. */
const runnerActor = (name: string, { id, token }: SweepRunner): Actor => ({
  name,
  headers: { authorization: `Bearer ${token}` },
  logged: { kind: "system", id: null },
  runner: { id },
});

const stranger = (name: string, authorization: string): CallerKind => ({
  about: "home",
  make: () => Promise.resolve({ name, headers: { authorization }, logged: localBoard.logged }),
  expects: unlessPublic(() => "unauthenticated"),
});

const reads = ({ method }: Operation): boolean => method === "GET";

/** What a rule says of an operation that is not open to everybody. */
export const unlessPublic =
  (otherwise: (rule: CallerRule, operation: Operation) => Outcome) =>
  (operation: Operation): Outcome => {
    const rule = ruleOf(operation);
    return rule.public ? "accepted" : otherwise(rule, operation);
  };

const unlessForbidden = (otherwise: (rule: CallerRule, operation: Operation) => Outcome) =>
  unlessPublic((rule, operation) => (rule.agent === "never" ? "forbidden" : otherwise(rule, operation)));

const forRunners = (otherwise: (operation: Operation) => Outcome) =>
  unlessPublic((rule, operation) => (rule.runner ? otherwise(operation) : "forbidden"));

const aboutAnother = unlessForbidden((rule, operation) => {
  if (rule.agent === "run") return "forbidden";
  if (rule.agent === "self" && idsOf(operation).includes("agentId")) return "forbidden";
  return reads(operation) ? "accepted" : "decided";
});

/** An active agent, about itself and its company. */
export const anAgent: CallerKind = {
  about: "own",
  make: (world) => agentIn(world, world.home, "an agent"),
  expects: unlessForbidden((rule, operation) => {
    if (rule.agent === "run") return "forbidden";
    return reads(operation) ? "accepted" : "decided";
  }),
};

/**
 * Every kind of caller. A new kind is a line here; which calls it may make is derived from the permission table, never
 * listed.
 */
export const callerKinds: readonly CallerKind[] = [
  {
    about: "own",
    make: () => Promise.resolve(localBoard),
    expects: unlessPublic((rule) => {
      if (rule.runner) return "forbidden";
      return rule.board === "never" ? "agent_credential_required" : "accepted";
    }),
  },
  stranger("an agent key that was never given out", `Bearer svk_aaaaaaaa_${"b".repeat(43)}`),
  stranger("a runner token that was never given out", `Bearer svr_aaaaaaaa_${"b".repeat(43)}`),
  stranger("a run credential of another deployment", `Bearer ${forged("HS256")}`),
  stranger("a run credential that nobody signed", `Bearer ${forged("none")}`),
  stranger("a bearer token of another form", "Bearer let-me-in"),
  stranger("a bearer header without a token", "Bearer"),
  stranger("another scheme than Bearer", "Basic YWRhOnNlY3JldA=="),
  {
    about: "home",
    make: async (world) => {
      const actor = await agentIn(world, world.home, "an expired key");
      await world.server.database.driver`
        update agent_keys set expires_at = now() - interval '1 minute' where id = ${actor.keyId}`;
      return actor;
    },
    expects: unlessPublic(() => "credential_expired"),
  },
  {
    about: "home",
    make: async (world) => {
      const { keyId, ...actor } = await agentIn(world, world.home, "a revoked key");
      await world.server.board.agentKeys.revoke({ params: { agentId: actor.agent.id, keyId } });
      return actor;
    },
    expects: unlessPublic(() => "unauthenticated"),
  },
  {
    about: "home",
    make: async (world) => {
      const actor = await agentIn(world, world.home, "the key of a terminated agent");
      await world.server.board.agents.terminate({ params: { agentId: actor.agent.id } });
      return actor;
    },
    expects: unlessPublic(() => "unauthenticated"),
  },
  anAgent,
  {
    about: "own",
    make: async (world) => {
      const actor = await agentIn(world, world.home, "a paused agent");
      await world.server.board.agents.pause({ params: { agentId: actor.agent.id } });
      return actor;
    },
    expects: unlessForbidden((_, operation) => (reads(operation) ? "accepted" : "credential_suspended")),
  },
  {
    about: "home",
    make: (world) => agentIn(world, world.home, "an agent, about another agent"),
    expects: aboutAnother,
  },
  {
    about: "home",
    make: (world) => agentIn(world, world.elsewhere, "an agent of another company"),
    expects: unlessForbidden((_, operation) => {
      if (idsOf(operation).length > 0) return "other_company";
      return reads(operation) ? "accepted" : "decided";
    }),
  },
  {
    about: "own",
    isBrief: true,
    make: async (world) => {
      const run = await buildRun(world, world.home);
      return { ...agentInRun(world, "an agent in the run that it calls about", run), run };
    },
    expects: unlessForbidden((_, operation) => (reads(operation) ? "accepted" : "decided")),
  },
  {
    about: "home",
    make: async (world) => agentInRun(world, "an agent in a run", await buildRun(world, world.home)),
    expects: aboutAnother,
  },
  {
    about: "home",
    make: async (world) => {
      const run = await buildRun(world, world.home);
      const body = { epoch: firstEpoch, outcome: { code: "ok" as const, message: "Done." } };
      await world.server.as(run.runner.token).runners.settle({ params: { runId: run.id }, body });
      return agentInRun(world, "an agent in a run that has ended", run);
    },
    expects: unlessPublic(() => "run_ended"),
  },
  {
    about: "home",
    make: async (world) => {
      const run = await buildRun(world, world.home);
      await world.server.board.runs.cancel({ params: { runId: run.id } });
      return agentInRun(world, "an agent in a run that is being ended", run);
    },
    expects: unlessPublic(() => "run_ended"),
  },
  {
    about: "own",
    make: async (world) => {
      const runner = await runnerToken(world, null);
      await entrust(world, (await buildRun(world, world.home)).id, runner.id);
      return runnerActor("a runner", runner);
    },
    expects: forRunners(() => "accepted"),
  },
  {
    about: "home",
    make: async (world) => runnerActor("a runner, about a run of another", (await buildRun(world, world.home)).runner),
    expects: forRunners(() => "decided"),
    lateRefusal: ({ refusals }) => refusals?.find((code) => code === "stale_lease"),
  },
  {
    about: "home",
    make: async (world) => {
      const { runner } = await buildRun(world, world.elsewhere);
      return runnerActor("a runner of another company", runner);
    },
    expects: forRunners((operation) => (idsOf(operation).length > 0 ? "other_company" : "decided")),
  },
];

/** A token of the form that run credentials have, from nowhere. */
function forged(alg: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const [run, company] = [unknownId(), unknownId()];
  const claims = { iss: "roster", aud: "agent", sub: unknownId(), run, company, epoch: firstEpoch, exp: 4_102_444_800 };
  return `${part({ alg, kid: "0".repeat(12) })}.${part(claims)}.${alg === "none" ? "x" : "b".repeat(43)}`;
}

/** True where a valid call by this kind is not refused for who makes it. */
export const mayCall = (kind: CallerKind, { operation }: NamedOperation): boolean =>
  ["accepted", "decided"].includes(kind.expects(operation));
