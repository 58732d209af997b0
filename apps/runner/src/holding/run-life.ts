import type { Translator } from "@roster/adapter";
import { findAdapter } from "@roster/adapters";
import { env, type Outcome, type RunOrder, type ToldEvent } from "@roster/contract";
import { isStale, reasonOf } from "../calling/refusals.ts";
import type { RequestedEnding } from "../ending.ts";
import { adapterOrderOf } from "../preparing/launch-run.ts";
import { filesOf } from "../preparing/prepare-files.ts";
import { eraseSpool, type Offsets } from "../spool.ts";
import { endSurvivors } from "../survivors.ts";
import { OutputTeller } from "../telling/output-teller.ts";
import type { LifeHost } from "./life-host.ts";
import { RunCalls, type Settlement } from "./run-calls.ts";
import { type RunNote, removeNote, writeNote } from "./run-note.ts";
import { internalOutcome, outcomeOf, outcomeOfReason } from "./run-outcome.ts";
import { RunPrograms } from "./run-programs.ts";

const nothingStored: Offsets = { stdout: 0, stderr: 0 };

/** A program that has ended and said everything. */
interface Said {
  readonly translator: Translator;
  readonly outcome: Outcome;
  /** It could not go on with its session. */
  readonly startsFresh: boolean;
}

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
  readonly #programs: RunPrograms;
  /** Nothing is told any more. */
  readonly #silence = new AbortController();
  /** An earlier runner was ending it already. */
  readonly #foundEnding: RequestedEnding | null;
  #isDropped = false;
  #isLeft = false;

  /** Takes up a run: with its order, one to start; without, one that an earlier runner has held. */
  constructor(host: LifeHost, note: RunNote, order: RunOrder | null, after: Promise<unknown> = Promise.resolve()) {
    this.#host = host;
    this.#note = note;
    this.#calls = new RunCalls({ server: host.server, log: host.log, lease: note, signal: this.#silence.signal });
    const of = { host, calls: this.#calls, note: () => this.#note, silence: this.#silence.signal };
    this.#programs = new RunPrograms(of);
    this.#foundEnding = note.ending;
    this.#order = order;
    this.done = after.then(() => this.#live());
  }

  get runId(): string {
    return this.#note.runId;
  }

  get agentId(): string {
    return this.#note.agentId;
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
    await this.#programs.run?.ended;
  }

  /**
   * Ends its program within its grace, or within what is given if that is shorter. True when this is news; the first
   * reason stays.
   */
  end(reason: RequestedEnding, mostGraceSec: number | null = null): boolean {
    const isNews = !this.isEnding;
    if (isNews) this.#rewrite({ ending: reason });
    this.#programs.end(mostGraceSec);
    return isNews;
  }

  /** It is not ours any more: its processes are killed and everything of it is erased. True when this is news. */
  drop(): boolean {
    const isNews = !this.#isDropped;
    this.#isDropped = true;
    this.#silence.abort(new Error("dropped"));
    this.#programs.drop();
    return isNews;
  }

  /** Stops telling and leaves everything to the next start. */
  leave(): void {
    this.#isLeft = true;
    this.#silence.abort(new Error("left"));
    this.#programs.hurry("left");
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
      await this.#programs.run?.ended;
    }
    if (!this.#isLeft) await this.#erase().catch((error: unknown) => this.#calls.complain(error));
  }

  /** Everything up to the end of its last program; all but the last events have been told then. */
  async #execute(): Promise<Settlement> {
    const begun = await this.#begin();
    if (begun !== null) return { outcome: begun, events: [] };
    const order = await this.#knownOrder();
    await this.#tellStart();
    const teller = this.#teller(order);
    const fresh: RunOrder = { ...order, session: null };
    let from = this.#programs.freshFrom;
    if (from === null) {
      const { translator, outcome, startsFresh } = await this.#follow(teller, order);
      if (!startsFresh) return { outcome, events: await teller.close(translator) };
      this.#host.log.info({ runId: this.runId }, "session lost: starting afresh");
      from = teller.ends;
      const failed = this.#endingOutcome() ?? (await this.#programs.launch(fresh, from));
      if (failed !== null) return { outcome: failed, events: await teller.close(translator) };
    } else {
      // Told by an earlier runner, or by this one now: what it could not go on with ends where the fresh start begins.
      const translator = this.#translator(order);
      await teller.tell({ spool: this.#programs.firstSpool, ended: Promise.resolve(), translator, to: from });
    }
    const { translator, outcome } = await this.#follow(teller, fresh, from);
    return { outcome, events: await teller.close(translator) };
  }

  /** Tells what the present program prints, up to its end. */
  async #follow(teller: OutputTeller, order: RunOrder, from: Offsets = nothingStored): Promise<Said> {
    const { run } = this.#programs;
    if (run === null) throw new Error("A run that has begun has no process.");
    const translator = this.#translator(order);
    await teller.tell({ spool: run.spool, ended: run.ended, translator, from });
    const { ending, reason: own } = await this.#programs.ended(run);
    const reason = own ?? this.#foundEnding;
    const opinion = translator.outcome(ending);
    const { limits } = this.#note;
    return {
      translator,
      outcome: outcomeOf({ ending, reason, limits, opinion, nowMs: Date.now() }),
      startsFresh: reason === null && !ending.lost && opinion.startsFresh === true,
    };
  }

  /** Starts or adopts its program; the outcome of a run that has none. */
  async #begin(): Promise<Outcome | null> {
    const { freshFrom } = this.#programs;
    if (this.#order === null) {
      if (await this.#programs.adopt()) return null;
      if (freshFrom !== null) return await this.#launch(freshFrom);
      if (this.#note.isStartTold) return internalOutcome("What the run had left on this machine is gone.");
    } else {
      writeNote(this.#host.home.files(this.runId), this.#note);
    }
    await eraseSpool(this.#host.home.spool(this.runId));
    return await this.#launch();
  }

  async #launch(from?: Offsets): Promise<Outcome | null> {
    const order = await this.#knownOrder();
    const given = from === undefined ? order : { ...order, session: null };
    return this.#endingOutcome() ?? (await unreplaced(order)) ?? (await this.#programs.launch(given, from));
  }

  #endingOutcome(): Outcome | null {
    const { ending, limits } = this.#note;
    return ending === null ? null : outcomeOfReason(ending, limits);
  }

  #teller(order: RunOrder): OutputTeller {
    return new OutputTeller({
      secrets: [...order.secrets, order.service[env("API_KEY")] ?? ""],
      stored: this.#stored,
      post: (told) => this.#tell(told),
    });
  }

  #translator(order: RunOrder): Translator {
    const adapter = findAdapter(this.#note.adapterType);
    if (adapter === null) throw new Error(`This runner no longer has the adapter ${this.#note.adapterType}.`);
    return adapter.translator(adapterOrderOf(order, filesOf(order, this.#host.home)));
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
    await this.#programs.run?.end("orphaned", 0);
    return { outcome: internalOutcome(`The runner could not go on with the run (${reasonOf(error)}).`), events: [] };
  }

  /** The note goes first: what is found without one is nobody's. */
  async #erase(): Promise<void> {
    const { home } = this.#host;
    await removeNote(home.files(this.runId));
    await eraseSpool(home.spool(this.runId));
    await eraseSpool(home.files(this.runId));
  }
}

/**
 * Ends what is left on this machine of the run that this one takes the place of, also where another runner of the same
 * user had it. Answers the outcome of a run that cannot start, because something of that one does not end.
 */
async function unreplaced({ replaces }: RunOrder): Promise<Outcome | null> {
  const left = replaces === undefined || replaces === null ? [] : await endSurvivors(replaces);
  if (left.length === 0) return null;
  return internalOutcome(`Processes of the run that was to be replaced could not be ended: ${left.join(", ")}.`);
}
