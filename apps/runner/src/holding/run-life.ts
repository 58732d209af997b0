import type { Adapter } from "@roster/adapter";
import { findAdapter } from "@roster/adapters";
import { env, type Outcome, type RunOrder, type ToldEvent } from "@roster/contract";
import { adoptRun } from "../adopt-run.ts";
import { isStale, reasonOf } from "../calling/refusals.ts";
import type { RequestedEnding } from "../ending.ts";
import { enforceLimits } from "../enforce-limits.ts";
import { type Breach, spoolLimits } from "../limits.ts";
import { adapterOrderOf, launchRun } from "../preparing/launch-run.ts";
import { filesOf } from "../preparing/prepare-files.ts";
import { eraseSpool, type Stream } from "../spool.ts";
import type { SupervisedRun } from "../supervise.ts";
import { tellOutput } from "../telling/tell-output.ts";
import type { LifeHost } from "./life-host.ts";
import { RunCalls, type Settlement } from "./run-calls.ts";
import { type RunNote, removeNote, writeNote } from "./run-note.ts";
import { internalOutcome, outcomeOf, outcomeOfFailure, outcomeOfLateStart, outcomeOfReason } from "./run-outcome.ts";

type Stored = Readonly<Record<Stream, number>>;

const nothingStored: Stored = { stdout: 0, stderr: 0 };

/**
 * A run from the moment it is held to the moment its end is known to the server: prepared and started, or adopted;
 * followed, limited, told and settled. Whatever the server does meanwhile, it is told each byte once, and one end.
 */
export class RunLife {
  /** Resolves when nothing of it is left to do. */
  readonly done: Promise<void>;
  readonly #host: LifeHost;
  readonly #calls: RunCalls;
  #note: RunNote;
  #order: RunOrder | null;
  #stored = nothingStored;
  #run: SupervisedRun | null = null;
  #breach: Promise<Breach | null> = Promise.resolve(null);
  /** Null where its own grace is meant. */
  #mostGraceSec: number | null = null;
  /** Preparing is no longer wanted. */
  readonly #hurry = new AbortController();
  /** Nothing is told any more. */
  readonly #silence = new AbortController();
  /** An earlier runner was ending it already. */
  readonly #foundEnding: RequestedEnding | null;
  #isDropped = false;
  #isLeft = false;

  /** Takes up a run: with its order, one to start; without, one that an earlier runner has held. */
  constructor(host: LifeHost, note: RunNote, order: RunOrder | null, after: Promise<void> = Promise.resolve()) {
    this.#host = host;
    this.#note = note;
    this.#calls = new RunCalls({ server: host.server, log: host.log, lease: note, signal: this.#silence.signal });
    this.#foundEnding = note.ending;
    this.#order = order;
    this.done = after.then(() => this.#live());
  }

  get runId(): string {
    return this.#note.runId;
  }

  get epoch(): number {
    return this.#note.epoch;
  }

  get isEnding(): boolean {
    return this.#note.ending !== null;
  }

  get isDropped(): boolean {
    return this.#isDropped;
  }

  /** Resolves when its program has ended; at once where there is none. */
  async programEnded(): Promise<void> {
    await this.#run?.ended;
  }

  /**
   * Ends its program within its grace, or within what is given if that is shorter. True when this is news; the first
   * reason stays.
   */
  end(reason: RequestedEnding, mostGraceSec: number | null = null): boolean {
    const isNews = !this.isEnding;
    this.#mostGraceSec ??= mostGraceSec;
    this.#hurry.abort(new Error("ended"));
    if (isNews) this.#rewrite({ ending: reason });
    this.#endProgram();
    return isNews;
  }

  /** It is not ours any more: its processes are killed and everything of it is erased. True when this is news. */
  drop(): boolean {
    const isNews = !this.#isDropped;
    this.#isDropped = true;
    this.#silence.abort(new Error("dropped"));
    this.#hurry.abort(new Error("dropped"));
    void this.#run?.end("stale_lease", 0);
    return isNews;
  }

  /** Stops telling and leaves everything to the next start. */
  leave(): void {
    this.#isLeft = true;
    this.#silence.abort(new Error("left"));
    this.#hurry.abort(new Error("left"));
  }

  async #live(): Promise<void> {
    const { log } = this.#host;
    try {
      const settlement = await this.#execute().catch((error: unknown) => this.#failed(error));
      await this.#calls.settle(settlement);
      log.info({ runId: this.runId, code: settlement.outcome.code }, "run settled");
    } catch (error) {
      if (this.#isLeft) return;
      const isOurs = !isStale(error) && !this.#isDropped;
      if (isOurs) log.error({ runId: this.runId, reason: reasonOf(error) }, "run given up");
      else log.warn({ runId: this.runId, epoch: this.epoch }, "run dropped: its lease is another's");
      this.drop();
      await this.#run?.ended;
    }
    if (!this.#isLeft) await this.#erase().catch((error: unknown) => this.#calls.complain(error));
  }

  /** Everything up to the end of its program; all but the last events have been told then. */
  async #execute(): Promise<Settlement> {
    const begun = await this.#begin();
    if (begun !== null) return { outcome: begun, events: [] };
    const run = this.#run;
    if (run === null) throw new Error("A run that has begun has no process.");
    const order = await this.#knownOrder();
    await this.#tellStart();
    const translator = this.#adapter().translator(adapterOrderOf(order, filesOf(order, this.#host.home)));
    const events = await tellOutput({
      run,
      translator,
      secrets: [...order.secrets, order.service[env("API_KEY")] ?? ""],
      stored: this.#stored,
      post: (told) => this.#tell(told),
    });
    const [ending, breach] = await Promise.all([run.ended, this.#breach]);
    const { limits } = this.#note;
    const reason = ending.reason ?? breach ?? this.#foundEnding;
    return { events, outcome: outcomeOf({ ending, reason, limits, opinion: (by) => translator.outcome(by) }) };
  }

  /** Starts or adopts its program; the outcome of a run that has none. */
  async #begin(): Promise<Outcome | null> {
    const spool = this.#host.home.spool(this.runId);
    if (this.#order === null) {
      const adopted = await adoptRun(spool);
      if (adopted !== null) return this.#has(adopted);
      if (this.#note.isStartTold) return internalOutcome("What the run had left on this machine is gone.");
    } else {
      writeNote(this.#host.home.files(this.runId), this.#note);
    }
    await eraseSpool(spool);
    const order = await this.#knownOrder();
    return this.#endingOutcome() ?? (await this.#launch(order));
  }

  #has(run: SupervisedRun): null {
    this.#run = run;
    const limits = { ...spoolLimits, ...this.#note.limits };
    this.#breach = enforceLimits(run, limits, this.#note.limits.graceSec).catch((error: unknown) => {
      this.#calls.complain(error);
      return null;
    });
    if (this.#isDropped) void run.end("stale_lease", 0);
    else this.#endProgram();
    return null;
  }

  #endProgram(): void {
    const { ending, limits } = this.#note;
    if (ending === null) return;
    void this.#run?.end(ending, Math.min(limits.graceSec, this.#mostGraceSec ?? limits.graceSec));
  }

  async #launch(order: RunOrder): Promise<Outcome | null> {
    const { home, skills, log } = this.#host;
    const adapter = findAdapter(order.adapterType);
    if (adapter === null) {
      const message = `This runner cannot execute agents of the type ${order.adapterType}.`;
      return outcomeOfFailure({ cause: "adapter_missing", message });
    }
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#hurry.abort(new Error("late"));
    }, order.limits.startSec * 1000);
    const signal = this.#hurry.signal;
    const fetchSkill = (contentHash: string) => this.#calls.skill(contentHash, signal);
    try {
      const started = await launchRun(order, adapter, { home, skills, fetchSkill, signal });
      if (started.kind === "failed") return outcomeOfFailure(started);
      log.info({ runId: this.runId, pid: started.run.process?.pid }, "run started");
      return this.#has(started.run);
    } catch (error) {
      this.#silence.signal.throwIfAborted();
      if (this.isEnding) return this.#endingOutcome();
      if (isLate) return outcomeOfLateStart(this.#note.limits);
      // Whether the run or only a skill of it is gone, the settlement will show.
      return internalOutcome(`The run could not be prepared (${reasonOf(error)}).`);
    } finally {
      clearTimeout(timer);
    }
  }

  #endingOutcome(): Outcome | null {
    const { ending, limits } = this.#note;
    return ending === null ? null : outcomeOfReason(ending, limits);
  }

  #adapter(): Adapter {
    const adapter = findAdapter(this.#note.adapterType);
    if (adapter === null) throw new Error(`This runner no longer has the adapter ${this.#note.adapterType}.`);
    return adapter;
  }

  async #knownOrder(): Promise<RunOrder> {
    if (this.#order !== null) return this.#order;
    const { order, stored } = await this.#calls.order();
    this.#order = order;
    this.#stored = stored;
    return order;
  }

  async #tellStart(): Promise<void> {
    if (this.#note.isStartTold) return;
    await this.#calls.start();
    this.#rewrite({ isStartTold: true });
  }

  /** Without the note the next runner would know less, and this one goes on all the same. */
  #rewrite(change: Partial<RunNote>): void {
    this.#note = { ...this.#note, ...change };
    try {
      writeNote(this.#host.home.files(this.runId), this.#note);
    } catch (error) {
      this.#calls.complain(error);
    }
  }

  async #tell(events: readonly ToldEvent[]): Promise<void> {
    await this.#calls.tell(events).catch((error: unknown) => {
      // A silent program would be noticed to be another's only at its next line.
      if (isStale(error)) this.drop();
      throw error;
    });
  }

  /** What went wrong with a run that is still ours is the runner's own fault. */
  async #failed(error: unknown): Promise<Settlement> {
    if (isStale(error) || this.#silence.signal.aborted) throw error;
    this.#calls.complain(error);
    await this.#run?.end("orphaned", 0);
    return { outcome: internalOutcome(`The runner could not go on with the run (${reasonOf(error)}).`), events: [] };
  }

  /** The note goes first: what is found without one is nobody's. */
  async #erase(): Promise<void> {
    const { home } = this.#host;
    removeNote(home.files(this.runId));
    await eraseSpool(home.spool(this.runId));
    await eraseSpool(home.files(this.runId));
  }
}
