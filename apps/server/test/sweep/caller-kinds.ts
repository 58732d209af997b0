import type { CallerRule, NamedOperation, Operation, RefusalCode } from "@roster/contract";
import { type Actor, idsOf, localBoard, ruleOf, type World } from "./world.ts";

/** What a valid call of an operation comes to: accepted; whatever the command decides; or refused with this code. */
export type Outcome = "accepted" | "decided" | RefusalCode;

/** A kind of caller. */
export interface CallerKind {
  /** Calls about what it may act on itself, where the rule says so (`own`), or about anything of the home company. */
  readonly about: "own" | "home";
  /** Somebody of this kind, with a credential of its own. */
  make(world: World): Promise<Actor>;
  /** What the permission table says of a valid call. */
  expects(operation: Operation): Outcome;
}

/** An active agent of a company, with a key. */
async function agentIn(world: World, companyId: string, name: string): Promise<Actor & { keyId: string }> {
  const id = await world.build("agent", { companyId, params: {} });
  const { token, id: keyId } = await world.server.board.agentKeys.create({ params: { agentId: id }, body: {} });
  const headers = { authorization: `Bearer ${token}` };
  return { name, headers, logged: { kind: "agent", id }, agent: { id, companyId }, keyId };
}

const stranger = (name: string, authorization: string): CallerKind => ({
  about: "home",
  make: () => Promise.resolve({ name, headers: { authorization }, logged: localBoard.logged }),
  expects: unlessPublic(() => "unauthenticated"),
});

const unlessPublic =
  (otherwise: (rule: CallerRule, operation: Operation) => Outcome) =>
  (operation: Operation): Outcome => {
    const rule = ruleOf(operation);
    return rule.public ? "accepted" : otherwise(rule, operation);
  };

const unlessForbidden = (otherwise: (rule: CallerRule, operation: Operation) => Outcome) =>
  unlessPublic((rule, operation) => (rule.agent === "never" ? "forbidden" : otherwise(rule, operation)));

const reads = ({ method }: Operation): boolean => method === "GET";

/**
 * Every kind of caller. A new kind is a line here; which calls it may make is derived from the permission table, never
 * listed.
 */
export const callerKinds: readonly CallerKind[] = [
  {
    about: "own",
    make: () => Promise.resolve(localBoard),
    expects: unlessPublic((rule) => (rule.board === "never" ? "agent_credential_required" : "accepted")),
  },
  stranger("an agent key that was never given out", `Bearer svk_aaaaaaaa_${"b".repeat(43)}`),
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
      await world.server.board.agentKeys.revoke({ params: { agentId: actor.logged.id, keyId } });
      return actor;
    },
    expects: unlessPublic(() => "unauthenticated"),
  },
  {
    about: "home",
    make: async (world) => {
      const actor = await agentIn(world, world.home, "the key of a terminated agent");
      await world.server.board.agents.terminate({ params: { agentId: actor.logged.id } });
      return actor;
    },
    expects: unlessPublic(() => "unauthenticated"),
  },
  {
    about: "own",
    make: (world) => agentIn(world, world.home, "an agent"),
    expects: unlessForbidden((_, operation) => (reads(operation) ? "accepted" : "decided")),
  },
  {
    about: "own",
    make: async (world) => {
      const actor = await agentIn(world, world.home, "a paused agent");
      await world.server.board.agents.pause({ params: { agentId: actor.logged.id } });
      return actor;
    },
    expects: unlessForbidden((_, operation) => (reads(operation) ? "accepted" : "credential_suspended")),
  },
  {
    about: "home",
    make: (world) => agentIn(world, world.home, "an agent, about another agent"),
    expects: unlessForbidden((rule, operation) => {
      if (rule.agent === "self" && idsOf(operation).includes("agentId")) return "forbidden";
      return reads(operation) ? "accepted" : "decided";
    }),
  },
  {
    about: "home",
    make: (world) => agentIn(world, world.elsewhere, "an agent of another company"),
    expects: unlessForbidden((_, operation) => {
      if (idsOf(operation).length > 0) return "other_company";
      return reads(operation) ? "accepted" : "decided";
    }),
  },
];

/** True where a valid call by this kind is not refused for who makes it. */
export const mayCall = (kind: CallerKind, { operation }: NamedOperation): boolean =>
  ["accepted", "decided"].includes(kind.expects(operation));
