import { type AgentPermissions, type agentStatuses, type companyStatuses, localBoardUserId } from "@roster/contract";
import type { Reader } from "./database/index.ts";

/** A person of the board. In local trusted mode everyone without a credential is the one local operator. */
export interface BoardCaller {
  readonly kind: "board";
  readonly userId: string;
  /** What the session of a person who signed in says; what it may do in a company, its membership there says. */
  readonly signedIn?: {
    readonly sessionId: string;
    readonly name: string;
    readonly email: string;
    readonly isInstanceAdmin: boolean;
  };
}

/** True for the one operator of local trusted mode, who may everything. Nobody who signs in has this id. Pure. */
export const isLocalBoard = ({ userId }: BoardCaller): boolean => userId === localBoardUserId;

/** An agent, known by its credential, with what every decision about it needs. */
export interface AgentCaller {
  readonly kind: "agent";
  readonly agentId: string;
  readonly companyId: string;
  readonly name: string;
  readonly status: (typeof agentStatuses)[number];
  readonly companyStatus: (typeof companyStatuses)[number];
  readonly permissions: AgentPermissions;
  readonly runId?: string;
  /** The run of the credential; an agent key has none. */
  readonly run?: {
    readonly issueId: string | null;
    readonly approvalId: string | null;
    readonly startedAt: Date | null;
  };
  /** What led to the run; with an agent key, to what it changes. */
  readonly cause?: Cause;
}

/** A runner, known by its token. It speaks for the runs that are leased to it and for nobody else. */
export interface RunnerCaller {
  readonly kind: "runner";
  readonly runnerId: string;
  readonly name: string;
  /** The companies it works for; null: all. */
  readonly companyIds: readonly string[] | null;
  /** The labels with which it asked for work a moment ago; null where it did not. */
  readonly seenWith: readonly string[] | null;
  /** The company of the run that its request names; null where there is no such run, or none is named. */
  readonly runCompanyId: string | null;
}

/** What reads the metrics, known by the deployment's token for them. */
export interface ScraperCaller {
  readonly kind: "scraper";
}

/** The service itself: loops and reactions. */
export interface SystemCaller {
  readonly kind: "system";
}

/** A request without a usable credential, on routes that need none. */
export interface NobodyCaller {
  readonly kind: "nobody";
}

/** Who speaks. Comes from the credential, never from a body. */
export type Caller = BoardCaller | AgentCaller | RunnerCaller | ScraperCaller | SystemCaller | NobodyCaller;

/** What led to this: the entry that caused it, the first entry of the chain, and the steps between. */
export interface Cause {
  readonly causeId: string | null;
  readonly rootId: string | null;
  readonly hops: number;
  /** Who acts has begun as much as it may: what this wakes waits. */
  readonly isSpent?: boolean;
}

/** The start of a chain: outside input. */
export const noCause: Cause = { causeId: null, rootId: null, hops: 0 };

/** Everything a read needs: one company, who asks and why, the database (which refuses writes), the time. */
export interface Scope {
  readonly companyId: string;
  readonly caller: Caller;
  readonly cause: Cause;
  readonly db: Reader;
  readonly now: Date;
  readonly requestId: string;
}

/** A caller as the log names it. */
export interface Actor {
  readonly actorKind: "agent" | "user" | "system";
  readonly actorId: string | null;
  readonly runId: string | null;
}

/** What led to what a caller does: an agent goes on with the chain of its run, others begin one. Pure. */
export const causeOf = (caller: Caller): Cause => (caller.kind === "agent" ? (caller.cause ?? noCause) : noCause);

/** The actor a caller is. Pure. */
export function actorOf(caller: Caller): Actor {
  if (caller.kind === "agent") return { actorKind: "agent", actorId: caller.agentId, runId: caller.runId ?? null };
  if (caller.kind === "board") return { actorKind: "user", actorId: caller.userId, runId: null };
  return { actorKind: "system", actorId: null, runId: null };
}
