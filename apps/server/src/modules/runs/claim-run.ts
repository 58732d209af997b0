import type { JsonObject } from "@roster/contract";
import { type Change, type ChangeHost, change } from "../../platform/change.ts";
import { databaseFault } from "../../platform/database/index.ts";
import type { Scope } from "../../platform/scope.ts";
import { pinSecrets } from "../secrets/index.ts";
import { waitingFor } from "./admission.ts";
import { type Candidate, type Claimant, type Claimed, listCandidates, lockForClaim, takeRun } from "./claim-store.ts";
import { noteContext } from "./context-store.ts";
import { reserve } from "./reserve.ts";

/** An approval as a run is told of it. */
export interface ApprovalContext {
  readonly status: string;
  readonly linkedIssueIds: string[];
}

/** What a claim needs of the modules above this one, in its transaction. */
export interface ClaimNeeds {
  readonly approvalContext: (scope: Scope, approvalId: string) => Promise<ApprovalContext>;
}

/** The right to speak for a run. */
export interface Lease {
  readonly companyId: string;
  readonly runId: string;
  readonly epoch: number;
}

/** Undoes a claim that found nothing to take. */
class NothingToTake extends Error {}

/** So many more candidates are looked at, for those that another runner is just taking. */
const spare = 16;
/** How many candidates are looked at for so many runs. Pure. */
export const candidatesFor = (limit: number): number => (limit === 0 ? 0 : limit + spare);

/** What a claim learns only once it takes a run, or holds what there is to spend. */
const notKnownYet = {
  pauseReason: null,
  isOverBudget: false,
  isExhausted: false,
  isBackingOff: false,
  isServiceStopped: false,
  isIssueHeld: false,
  underWay: 0,
};

/** What is claimed, and by whom. */
export interface Wish {
  readonly claimant: Claimant;
  readonly limit: number;
  /** Those that come first, as many as {@link candidatesFor} says for this limit or a higher one, or all there are. */
  readonly first: readonly Candidate[];
}

/**
 * Claims at most `limit` queued runs, each in a transaction of its own. Agents whose run cannot be taken after all, such
 * as for lack of room in a budget, keep nobody from those behind them.
 */
export async function claimRuns(
  host: ChangeHost,
  scope: Scope,
  needs: ClaimNeeds,
  { claimant, limit, first }: Wish,
): Promise<Lease[]> {
  if (limit === 0) return [];
  const claimed: Lease[] = [];
  const failed = new Set<string>();
  let candidates = first;
  for (;;) {
    const isAll = candidates.length < candidatesFor(limit);
    const before = failed.size;
    for (const candidate of candidates) {
      if (claimed.length === limit) return claimed;
      if (failed.has(candidate.agentId)) continue;
      const lease = await claimRun(host, scope, needs, { claimant, candidate });
      if (lease === null) failed.add(candidate.agentId);
      else claimed.push(lease);
    }
    if (isAll || failed.size === before) return claimed;
    candidates = await listCandidates(scope.db, claimant, { most: candidatesFor(limit), except: [...failed] });
  }
}

async function claimRun(
  host: ChangeHost,
  scope: Scope,
  needs: ClaimNeeds,
  { claimant, candidate: { companyId, agentId } }: { claimant: Claimant; candidate: Candidate },
): Promise<Lease | null> {
  try {
    return await change(host, { ...scope, companyId }, async (opened) => {
      const locked = await lockForClaim(opened, agentId);
      if (locked === null) throw new NothingToTake();
      const { agentName, standing, env } = locked;
      if (waitingFor({ ...standing, ...notKnownYet }) !== "runner") throw new NothingToTake();
      const hold = await reserve(opened, agentId, locked);
      if (hold === null) throw new NothingToTake();
      const run = await takeRun(opened, agentId, claimant, { most: standing.mostUnderWay, hold });
      if (run === null) throw new NothingToTake();
      await pinContext(opened, needs, { run, env });
      const details = { agentId, agentName, runnerId: claimant.runnerId, runner: claimant.name, attempt: run.attempt };
      opened.record("run.claimed", run.id, details, { cause: run });
      return { companyId, runId: run.id, epoch: run.epoch };
    });
  } catch (error) {
    if (error instanceof NothingToTake) return null;
    throw error;
  }
}

function unlessAway(error: unknown): null {
  if (databaseFault(error) !== null) throw error;
  return null;
}

/** What the run is told of its approval, and what "latest" means for its secrets, is what holds now. */
async function pinContext(
  opened: Change,
  needs: ClaimNeeds,
  { run: { id, approvalId }, env }: { run: Claimed; env: JsonObject },
): Promise<void> {
  // What is not there is said when the order is made; here it would keep everybody from claiming anything.
  const secretVersions = await pinSecrets(opened, env).catch(unlessAway);
  if (approvalId === null && secretVersions === null) return;
  const approval = approvalId === null ? null : await needs.approvalContext(opened, approvalId);
  await noteContext(opened, id, {
    secretVersions,
    approvalStatus: approval?.status ?? null,
    linkedIssueIds: approval?.linkedIssueIds ?? null,
  });
}
