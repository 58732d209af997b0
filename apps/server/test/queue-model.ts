/** What a run of the model is for: at most one queued run has the same. */
export interface Work {
  /** Which agent, issue and approval, by their numbers; null for none. */
  readonly agent: number;
  readonly issue: number | null;
  readonly approval: number | null;
}

/** A run as the model believes it to be. */
export interface ModelRun extends Work {
  /** Null until the service has been seen to have it. */
  id: string | null;
  status: "queued" | "claimed" | "running" | "succeeded" | "failed" | "cancelled" | "lost";
  isEnding: boolean;
  attempt: number;
  epoch: number;
  /** The keys of its wakes; null for one without. */
  wakes: (string | null)[];
  retryOf: ModelRun | null;
}

/** Why an agent takes nothing. */
export type Pause = "board" | "breaker" | null;

/** How a run may end in the model. */
export type ModelEnd = "ok" | "agent_error" | "service_stop";

const mostAttempts = 3;
const mostFailures = 3;

/** The queue as it is promised to be, without a database: wakes, the runs they make or join, claims and endings. */
export class QueueModel {
  /** In the order in which they came to be. */
  readonly runs: ModelRun[] = [];
  readonly pauses: Pause[];
  readonly #most: readonly number[];
  readonly #failures: number[];
  isCompanyPaused = false;

  /** Agents that may have so many runs under way. */
  constructor(most: readonly number[]) {
    this.#most = most;
    this.pauses = most.map(() => null);
    this.#failures = most.map(() => 0);
  }

  get underWay(): readonly ModelRun[] {
    return this.runs.filter(isUnderWay);
  }

  mayWakeOnDemand(agent: number): boolean {
    return this.pauses[agent] === null && !this.isCompanyPaused;
  }

  /** The run that a wake with this key has led to; null where none has. */
  withKey(agent: number, key: string): ModelRun | null {
    return this.runs.find((run) => run.agent === agent && run.wakes.includes(key)) ?? null;
  }

  wake(work: Work, key: string | null = null): ModelRun {
    const run = this.#queued(work) ?? this.#add(work, { attempt: 1, retryOf: null });
    run.wakes.push(key);
    return run;
  }

  /** The runs of an agent that may be claimed now, in the order in which they are. */
  admissible(agent: number): ModelRun[] {
    if (this.isCompanyPaused || this.pauses[agent] !== null) return [];
    const room = (this.#most[agent] ?? 1) - this.underWay.filter((run) => run.agent === agent).length;
    return this.runs
      .filter((run) => run.status === "queued" && run.agent === agent && !this.#isHeld(run))
      .slice(0, room);
  }

  waitingFor(run: ModelRun): string {
    if (this.isCompanyPaused) return "company_paused";
    if (this.pauses[run.agent] !== null) return "agent_paused";
    const count = this.underWay.filter(({ agent }) => agent === run.agent).length;
    return this.#isHeld(run) || count >= (this.#most[run.agent] ?? 1) ? "concurrency" : "runner";
  }

  claim(run: ModelRun): void {
    run.status = "claimed";
    run.epoch += 1;
  }

  /** False where it is over and was not cancelled: that is refused. */
  cancel(run: ModelRun): boolean {
    if (run.status === "queued") run.status = "cancelled";
    else if (isUnderWay(run)) run.isEnding = true;
    else return run.status === "cancelled" || run.isEnding;
    return true;
  }

  pauseAgent(agent: number, why: Pause): void {
    this.pauses[agent] = why;
    this.#end((run) => run.agent === agent);
  }

  resumeAgent(agent: number): void {
    this.pauses[agent] = null;
    this.#failures[agent] = 0;
  }

  pauseCompany(): void {
    this.isCompanyPaused = true;
    this.#end(() => true);
  }

  settle(run: ModelRun, end: ModelEnd): void {
    if (end === "ok") {
      run.status = "succeeded";
      this.#failures[run.agent] = 0;
    } else if (run.isEnding || end === "service_stop") {
      run.status = "cancelled";
      if (!run.isEnding) this.#retry(run, run.attempt);
    } else {
      run.status = "failed";
      this.#fail(run.agent);
    }
  }

  /** Its runner is not heard of any more. */
  lose(run: ModelRun): void {
    if (run.isEnding) run.status = "cancelled";
    else if (run.status === "claimed" && this.#queued(run) === undefined) run.status = "queued";
    else {
      run.status = "lost";
      if (run.attempt < mostAttempts) this.#retry(run, run.attempt + 1);
    }
  }

  #retry(run: ModelRun, attempt: number): void {
    const next = this.#queued(run) ?? this.#add(run, { attempt, retryOf: run });
    next.attempt = Math.max(next.attempt, attempt);
    next.retryOf ??= run;
    next.wakes.push(...run.wakes.splice(0));
  }

  #fail(agent: number): void {
    const count = (this.#failures[agent] ?? 0) + 1;
    this.#failures[agent] = count;
    if (count >= mostFailures && this.pauses[agent] === null) this.pauseAgent(agent, "breaker");
  }

  #queued({ agent, issue, approval }: Work): ModelRun | undefined {
    return this.runs.find(
      (run) => run.status === "queued" && run.agent === agent && run.issue === issue && run.approval === approval,
    );
  }

  #add({ agent, issue, approval }: Work, more: Pick<ModelRun, "attempt" | "retryOf">): ModelRun {
    const work = { agent, issue, approval };
    const run: ModelRun = { ...work, ...more, id: null, status: "queued", isEnding: false, epoch: 0, wakes: [] };
    this.runs.push(run);
    return run;
  }

  #end(which: (run: ModelRun) => boolean): void {
    for (const run of this.underWay.filter(which)) run.isEnding = true;
  }

  #isHeld({ agent, issue }: ModelRun): boolean {
    return issue !== null && this.underWay.some((run) => run.agent === agent && run.issue === issue);
  }
}

const isUnderWay = ({ status }: ModelRun): boolean => status === "claimed" || status === "running";
