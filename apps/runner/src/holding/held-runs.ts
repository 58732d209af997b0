import type { RunOrder } from "@roster/contract";
import { reasonOf } from "../calling/refusals.ts";
import type { Claimed, Extended, Lease } from "../calling/server.ts";
import type { RequestedEnding } from "../ending.ts";
import { eraseSpool } from "../spool.ts";
import { endSurvivors } from "../survivors.ts";
import type { LifeHost } from "./life-host.ts";
import { RunLife } from "./run-life.ts";
import { type RunNote, readNote } from "./run-note.ts";
import { internalOutcome } from "./run-outcome.ts";

/** The runs that this runner holds, each at most once. */
export class HeldRuns {
  readonly #host: LifeHost;
  readonly #lives = new Map<string, RunLife>();
  readonly #onFreed: () => void;

  /** `onFreed` is called whenever a run is no longer held. */
  constructor(host: LifeHost, onFreed: () => void) {
    this.#host = host;
    this.#onFreed = onFreed;
  }

  get count(): number {
    return this.#lives.size;
  }

  get leases(): readonly Lease[] {
    return this.#ours.map(({ runId, epoch }) => ({ runId, epoch }));
  }

  /** As a claim says them. */
  get held(): readonly (Lease & { readonly ending: boolean })[] {
    return this.#ours.map(({ runId, epoch, isEnding }) => ({ runId, epoch, ending: isEnding }));
  }

  /**
   * Takes up what an earlier runner has left. What has no note is nobody's: it was settled, or never begun, and is
   * erased with every process of it.
   */
  async adopt(): Promise<void> {
    const { home, log } = this.#host;
    for (const runId of await home.runs()) {
      const note = readNote(home.files(runId));
      if (note === null || note.runId !== runId) {
        await endSurvivors(runId);
        await eraseSpool(home.spool(runId));
        await eraseSpool(home.files(runId));
      } else {
        log.info({ runId, epoch: note.epoch }, "run adopted");
        this.#take(new RunLife(this.#host, note, null));
      }
    }
  }

  /** Does what a claim or an extension has answered. True when something of it was news. */
  apply({ orders = [], unreadable = [], end, forget }: Extended & Partial<Claimed>): boolean {
    const dropped = forget.filter((lease) => this.#find(lease)?.drop() === true);
    const ended = end.filter(({ reason, ...lease }) => this.#find(lease)?.end(reason) === true);
    const begun = orders.filter((order) => this.#begin(order));
    for (const lease of unreadable) this.#refuse(lease);
    return dropped.length + ended.length + begun.length > 0;
  }

  endAll(reason: RequestedEnding, mostGraceSec?: number): void {
    for (const life of this.#all) life.end(reason, mostGraceSec);
  }

  /** Stops telling of all runs and leaves them to the next start. */
  leaveAll(): void {
    for (const life of this.#all) life.leave();
  }

  /** Resolves when every program that runs now has ended. */
  async programsEnded(): Promise<void> {
    await Promise.all(this.#all.map((life) => life.programEnded()));
  }

  async done(): Promise<void> {
    await Promise.all(this.#all.map((life) => life.done));
  }

  get #all(): readonly RunLife[] {
    return [...this.#lives.values()];
  }

  /** Not those whose lease is another's, although something of them may still be here. */
  get #ours(): readonly RunLife[] {
    return this.#all.filter(({ isDropped }) => !isDropped);
  }

  /** What is said of another claim of a run is not about this one. */
  #find({ runId, epoch }: Lease): RunLife | null {
    const life = this.#lives.get(runId);
    return life?.epoch === epoch ? life : null;
  }

  /**
   * An answer that was lost is given again, so what is held already is no news; a later claim makes ours stale. Nothing
   * of an agent begins before what it did under leases that are another's is gone: it may be the same work.
   */
  #begin(order: RunOrder): boolean {
    const known = this.#lives.get(order.runId);
    if (known !== undefined && known.epoch >= order.epoch) return false;
    known?.drop();
    const going = this.#all.filter(({ isDropped, agentId }) => isDropped && agentId === order.agentId);
    const gone = Promise.all(going.map(({ done }) => done));
    this.#take(new RunLife(this.#host, noteOf(order), order, gone));
    return true;
  }

  /** Insisted on by the claims, which are answered with the order until the end is known. */
  #refuse(lease: Lease): void {
    const { server, log } = this.#host;
    log.error(lease, "the order of a run is not what this runner understands");
    const outcome = internalOutcome("The runner does not understand the order of the run; it may be too old.");
    const { signal } = new AbortController();
    server.settle(lease, { outcome, events: [] }, signal).catch((error: unknown) => {
      log.warn({ runId: lease.runId, reason: reasonOf(error) }, "run is held up");
    });
  }

  #take(life: RunLife): void {
    this.#lives.set(life.runId, life);
    void life.done.then(() => {
      if (this.#lives.get(life.runId) === life) this.#lives.delete(life.runId);
      this.#onFreed();
    });
  }
}

function noteOf({ runId, epoch, companyId, agentId, adapterType, limits }: RunOrder): RunNote {
  return { runId, epoch, companyId, agentId, adapterType, limits, isStartTold: false, ending: null };
}
