import { findAdapter } from "@roster/adapters";
import type { Outcome, RunOrder } from "@roster/contract";
import { adoptRun, freshStartIn } from "../adopt-run.ts";
import { reasonOf } from "../calling/refusals.ts";
import type { Ending, EndReason } from "../ending.ts";
import { enforceLimits } from "../enforce-limits.ts";
import { type Breach, spoolLimits } from "../limits.ts";
import { launchRun } from "../preparing/launch-run.ts";
import { type Offsets, type Spool, spoolAt } from "../spool.ts";
import type { SupervisedRun } from "../supervise.ts";
import type { LifeHost } from "./life-host.ts";
import type { RunCalls } from "./run-calls.ts";
import type { RunNote } from "./run-note.ts";
import { internalOutcome, outcomeOfFailure, outcomeOfLateStart, outcomeOfReason } from "./run-outcome.ts";

/** What the programs of a run have to know of it. */
export interface Programmed {
  readonly host: LifeHost;
  readonly calls: RunCalls;
  /** As it is now. */
  readonly note: () => RunNote;
  /** Nothing of the run is told any more: what goes wrong from then on is nobody's concern. */
  readonly silence: AbortSignal;
}

/**
 * The programs of a run, one at a time: as a rule one; a second where the first could not go on with its session.
 * Started or adopted, limited, ended.
 */
export class RunPrograms {
  readonly #of: Programmed;
  #run: SupervisedRun | null = null;
  #breach: Promise<Breach | null> = Promise.resolve(null);
  /** Null where its own grace is meant. */
  #mostGraceSec: number | null = null;
  /** Preparing is no longer wanted. */
  readonly #hurry = new AbortController();
  #isDropped = false;

  constructor(of: Programmed) {
    this.#of = of;
  }

  get run(): SupervisedRun | null {
    return this.#run;
  }

  /** Where the outputs of a fresh start begin, as soon as one was begun; null where none was. */
  get freshFrom(): Offsets | null {
    return freshStartIn(this.#folder);
  }

  get firstSpool(): Spool {
    return spoolAt(this.#folder);
  }

  /** Ends what runs, or will run, for the reason that is noted. */
  end(mostGraceSec: number | null): void {
    this.#mostGraceSec ??= mostGraceSec;
    this.hurry("ended");
    this.#end();
  }

  /** Kills what runs, or will run: the run is another's. */
  drop(): void {
    this.#isDropped = true;
    this.hurry("dropped");
    void this.#run?.end("stale_lease", 0);
  }

  /** Prepares and starts nothing any more. */
  hurry(why: string): void {
    this.#hurry.abort(new Error(why));
  }

  /** How the present program ended, and why the runner ended it, if it did. */
  async ended(run: SupervisedRun): Promise<{ readonly ending: Ending; readonly reason: EndReason | null }> {
    const [ending, breach] = await Promise.all([run.ended, this.#breach]);
    return { ending, reason: ending.reason ?? breach };
  }

  /** Takes over what an earlier runner has started; false where that was nothing. */
  async adopt(): Promise<boolean> {
    const adopted = await adoptRun(this.#folder);
    if (adopted !== null) this.#has(adopted);
    return adopted !== null;
  }

  /** Starts a program; answers the outcome of a run that has none. */
  async launch(order: RunOrder, from?: Offsets): Promise<Outcome | null> {
    const { host, calls, note, silence } = this.#of;
    const { home, skills, log } = host;
    const { runId } = order;
    const adapter = findAdapter(order.adapterType);
    if (adapter === null) {
      const message = `This runner cannot execute agents of the type ${order.adapterType}.`;
      return outcomeOfFailure({ cause: "adapter_missing", message });
    }
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.hurry("late");
    }, order.limits.startSec * 1000);
    const { signal } = this.#hurry;
    const fetchSkill = (contentHash: string) => calls.skill(contentHash, signal);
    try {
      const started = await launchRun(order, adapter, { home, skills, fetchSkill, signal, ...(from && { from }) });
      if (started.kind === "failed") return outcomeOfFailure(started);
      log.info({ runId, pid: started.run.process?.pid, fresh: from !== undefined }, "run started");
      this.#has(started.run);
      return null;
    } catch (error) {
      silence.throwIfAborted();
      const { ending, limits } = note();
      if (ending !== null) return outcomeOfReason(ending, limits);
      if (isLate) return outcomeOfLateStart(limits);
      // Whether the run or only a skill of it is gone, the settlement will show.
      return internalOutcome(`The run could not be prepared (${reasonOf(error)}).`);
    } finally {
      clearTimeout(timer);
    }
  }

  get #folder(): string {
    return this.#of.host.home.spool(this.#of.note().runId);
  }

  #has(run: SupervisedRun): void {
    const { calls, note } = this.#of;
    this.#run = run;
    const limits = { ...spoolLimits, ...note().limits };
    this.#breach = enforceLimits(run, limits, limits.graceSec).catch((error: unknown) => {
      calls.complain(error);
      return null;
    });
    if (this.#isDropped) void run.end("stale_lease", 0);
    else this.#end();
  }

  #end(): void {
    const { ending, limits } = this.#of.note();
    if (ending === null) return;
    void this.#run?.end(ending, Math.min(limits.graceSec, this.#mostGraceSec ?? limits.graceSec));
  }
}
