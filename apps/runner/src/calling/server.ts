import { type Client, createClient, Refused } from "@roster/client";
import {
  type BodyInput,
  type CheckFinding,
  type FoundProgram,
  longestClaimWaitSec,
  type Operation,
  type Outcome,
  type Resource,
  runners,
  runOrder,
  type ToldEvent,
} from "@roster/contract";
import { z } from "zod";
import { isTokenRefused } from "./refusals.ts";
import type { TokenFile } from "./token-file.ts";

type Operations = typeof runners;
/** What a claim is answered. An order that is not as the contract says is only a lease that nothing can be done with. */
export type Claimed = Resource<Operations["claim"]> & { readonly unreadable: readonly Lease[] };
/** What an extension is answered. */
export type Extended = Resource<Operations["extend"]>;
/** An order again, and how far its output is stored. */
export type OrderedAgain = Resource<Operations["order"]>;
/** Files of a skill. */
export type SkillFiles = Resource<Operations["skill"]>["files"];

/** A run, and the number of the claim it is held by. */
export interface Lease {
  readonly runId: string;
  readonly epoch: number;
}

/** What a check of an agent's settings found. */
export interface CheckReport {
  readonly agentId: string;
  readonly revisionId: string;
  readonly findings: readonly CheckFinding[];
}

const leaseSchema = z.object({ runId: z.uuid(), epoch: z.int() });
const callMs = 15_000;
const longCallMs = 60_000;

type Ask<T> = (to: Client["runners"], signal: AbortSignal) => Promise<T>;

interface Bounds {
  readonly signal: AbortSignal;
  readonly withinMs?: number;
}

/** The protocol of runners, one attempt each. Throws `Refused` or `Unanswered`. */
export class Server {
  readonly #baseUrl: string;
  readonly #tokens: TokenFile;
  #answeredAt = performance.now();
  #known: { readonly token: string; readonly client: Client["runners"] } | null = null;

  constructor(baseUrl: string, tokens: TokenFile) {
    this.#baseUrl = baseUrl;
    this.#tokens = tokens;
  }

  /** How long no server has answered. */
  get silentMs(): number {
    return performance.now() - this.#answeredAt;
  }

  async claim(body: BodyInput<Operations["claim"]>, signal: AbortSignal): Promise<Claimed> {
    const bounds = { signal, withinMs: longestClaimWaitSec * 1000 + callMs };
    const answer = await this.#ask(bounds, (to, inner) => to.claim({ body, signal: inner }));
    // One order that cannot be read must not hold up all others.
    const isGood = (order: unknown): boolean => runOrder.safeParse(order).success;
    const good = checked(runners.claim, { ...answer, orders: answer.orders.filter(isGood) });
    const others = answer.orders.filter((order) => !isGood(order));
    return { ...good, unreadable: others.map((order) => leaseSchema.parse(order)) };
  }

  async extend(leases: readonly Lease[], signal: AbortSignal): Promise<Extended> {
    const body = { held: [...leases] };
    return checked(runners.extend, await this.#ask({ signal }, (to, inner) => to.extend({ body, signal: inner })));
  }

  async order({ runId, epoch }: Lease, signal: AbortSignal): Promise<OrderedAgain> {
    const parts = { params: { runId }, query: { epoch } };
    return checked(runners.order, await this.#ask({ signal }, (to, inner) => to.order({ ...parts, signal: inner })));
  }

  async skill(runId: string, contentHash: string, signal: AbortSignal): Promise<SkillFiles> {
    const params = { runId, contentHash };
    const bounds = { signal, withinMs: longCallMs };
    return checked(runners.skill, await this.#ask(bounds, (to, inner) => to.skill({ params, signal: inner }))).files;
  }

  async start({ runId, epoch }: Lease, signal: AbortSignal): Promise<void> {
    const parts = { params: { runId }, body: { epoch } };
    await this.#ask({ signal }, (to, inner) => to.start({ ...parts, signal: inner }));
  }

  async checked({ agentId, ...body }: CheckReport, signal: AbortSignal): Promise<void> {
    const parts = { params: { agentId }, body: { ...body, findings: [...body.findings] } };
    await this.#ask({ signal }, (to, inner) => to.checked({ ...parts, signal: inner }));
  }

  async programs(found: readonly FoundProgram[], signal: AbortSignal): Promise<void> {
    const body = { programs: [...found] };
    await this.#ask({ signal }, (to, inner) => to.programs({ body, signal: inner }));
  }

  async tell({ runId, epoch }: Lease, told: readonly ToldEvent[], signal: AbortSignal): Promise<void> {
    const parts = { params: { runId }, body: { epoch, events: [...told] } };
    await this.#ask({ signal, withinMs: longCallMs }, (to, inner) => to.events({ ...parts, signal: inner }));
  }

  async settle(
    { runId, epoch }: Lease,
    { outcome, events }: { readonly outcome: Outcome; readonly events: readonly ToldEvent[] },
    signal: AbortSignal,
  ): Promise<void> {
    const parts = { params: { runId }, body: { epoch, outcome, events: [...events] } };
    await this.#ask({ signal, withinMs: longCallMs }, (to, inner) => to.settle({ ...parts, signal: inner }));
  }

  #client(token: string): Client["runners"] {
    if (this.#known?.token !== token) {
      this.#known = { token, client: createClient({ baseUrl: this.#baseUrl, token, retries: 0 }).runners };
    }
    return this.#known.client;
  }

  async #ask<T>({ signal, withinMs = callMs }: Bounds, ask: Ask<T>): Promise<T> {
    return await within(withinMs, signal, async (inner) => {
      const token = await this.#tokens.token(inner);
      try {
        const answer = await ask(this.#client(token), inner);
        this.#answeredAt = performance.now();
        return answer;
      } catch (error) {
        // Something that stands before a server that is away refuses too.
        if (error instanceof Refused && error.status < 500) this.#answeredAt = performance.now();
        if (isTokenRefused(error)) this.#tokens.forget(token);
        throw error;
      }
    });
  }
}

/** The answer as the contract says it: ids in it become names of folders. Throws when it is another. */
function checked<O extends Operation & { answer: { kind: "record" } }>(operation: O, answer: unknown): Resource<O> {
  // The schema is the operation's own, which its type does not show any more here.
  return operation.answer.schema.parse(answer) as Resource<O>;
}

/** Aborts what takes too long; leaves nothing behind at the caller's signal, which may live for days. */
async function within<T>(ms: number, outer: AbortSignal, use: (signal: AbortSignal) => Promise<T>): Promise<T> {
  outer.throwIfAborted();
  const inner = new AbortController();
  const pass = (): void => inner.abort(outer.reason);
  outer.addEventListener("abort", pass, { once: true });
  const timer = setTimeout(() => inner.abort(new Error(`No answer within ${ms / 1000} s.`)), ms);
  try {
    return await use(inner.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", pass);
  }
}
