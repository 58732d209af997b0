import type { Contract, Resource } from "@roster/contract";
import type { Scope } from "../../platform/scope.ts";
import { queueSignal, type Signals } from "../../platform/signals.ts";
import {
  type ApprovalContext,
  type Claimant,
  candidatesFor,
  claimRuns,
  type HeldLease,
  listLeases,
  lookOut,
} from "../runs/index.ts";
import { type HandOutNeeds, handOut } from "./hand-out.ts";
import { handOutChecks } from "./hand-out-checks.ts";

/** What runners are answered. */
export type Tidings = Resource<Contract["runners"]["claim"]>;

/** A run that a runner says it has. */
export interface HeldRun {
  readonly runId: string;
  readonly epoch: number;
  readonly ending?: boolean;
}

/** What hearing runners needs of the process. */
export interface DispatchNeeds extends HandOutNeeds {
  readonly signals: Signals;
  readonly approvalContext: (scope: Scope, approvalId: string) => Promise<ApprovalContext>;
}

/** What a runner has, and what it can take. */
export interface Asked {
  readonly claimant: Claimant;
  readonly capacity: number;
  readonly checks: number;
  readonly held: readonly HeldRun[];
  readonly waitSec: number;
}

const lookEveryMs = 1000;

/**
 * Hands runs to a runner, as many as it can take, and tells it which of its runs to end and which are its own no more;
 * waits until there is something to tell. Whatever is leased to it and not among what it has is handed to it again, so
 * that a lost answer costs nothing.
 */
export async function hearRunner(
  scope: Scope,
  needs: DispatchNeeds,
  asked: Asked,
  gone: AbortSignal,
): Promise<Tidings> {
  const until = performance.now() + asked.waitSec * 1000;
  const queue = needs.signals.listen(queueSignal);
  const own = needs.signals.listen(asked.claimant.runnerId);
  try {
    // What it has settled itself since it asked is no news: which runs are its own no more it is told at first, when
    // somebody else has ended one of them, and with every order to do again what was lost.
    for (let isNews = true; ; ) {
      const { forget, ...others } = await look(scope, needs, asked, gone);
      const tidings = { ...others, forget: isNews || others.orders.some(isReplacing) ? forget : [] };
      const leftMs = until - performance.now();
      if (Object.values(tidings).some((told) => told.length > 0) || gone.aborted || leftMs <= 0) return tidings;
      const over = new AbortController();
      const either = AbortSignal.any([gone, over.signal]);
      const withinMs = Math.min(lookEveryMs, leftMs);
      const hearing = own.next(withinMs, either);
      // What is queued is no news to a runner that has no room; a check, which it may have room for, waits for a second.
      await (asked.capacity === 0 ? hearing : Promise.race([hearing, queue.next(withinMs, either)]));
      over.abort();
      isNews = await hearing;
    }
  } finally {
    queue.close();
    own.close();
  }
}

async function look(scope: Scope, needs: DispatchNeeds, asked: Asked, gone: AbortSignal): Promise<Tidings> {
  const { claimant, held, capacity } = asked;
  const most = candidatesFor(gone.aborted ? 0 : capacity);
  const { leases, candidates, hasChecks } = await lookOut(scope.db, claimant, most);
  const again = leases.filter((lease) => !held.some((run) => isSame(run, lease)));
  const limit = gone.aborted ? 0 : Math.max(capacity - again.length, 0);
  const claimed = await claimRuns(needs.host, scope, needs, { claimant, limit, first: candidates });
  const checking = { checker: claimant, limit: gone.aborted || !hasChecks ? 0 : asked.checks };
  const checks = await handOutChecks(needs.host.database, scope.db, checking);
  const orders = await Promise.all([...again, ...claimed].map((lease) => handOut(scope, needs, lease)));
  // What was claimed may take the place of a run that was lost since the leases were looked at.
  const now = orders.some(isReplacing) ? await listLeases(scope.db, claimant.runnerId) : leases;
  return { orders: orders.filter((order) => order !== null), checks, ...standingOf(now, held) };
}

const isReplacing = (order: Tidings["orders"][number] | null): boolean => typeof order?.replaces === "string";

/** Which of the runs that a runner has it is to end, and which are its own no more. Pure. */
export function standingOf(leases: readonly HeldLease[], held: readonly HeldRun[]): Pick<Tidings, "end" | "forget"> {
  const own = held.map((run) => ({ run, lease: leases.find((lease) => isSame(run, lease)) }));
  return {
    forget: own.flatMap(({ run: { runId, epoch }, lease }) => (lease === undefined ? [{ runId, epoch }] : [])),
    end: own.flatMap(({ run: { runId, epoch, ending }, lease }) =>
      lease?.ending && ending !== true ? [{ runId, epoch, reason: lease.ending }] : [],
    ),
  };
}

const isSame = (run: HeldRun, lease: HeldLease): boolean => run.runId === lease.runId && run.epoch === lease.epoch;
