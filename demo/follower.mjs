import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "./failure.mjs";
import { speak } from "./voice.mjs";

const lookEveryMs = 50;
const patienceMs = 180_000;

/**
 * Reads the activity log of a company from its first entry on, in order and each entry once, and tells of it what the
 * story needs: who is woken and why, what agents say while they run, how their runs end.
 */
export class Follower {
  /** Everything read up to now. */
  entries = [];
  #board;
  #company;
  #signal;
  #upcoming = [];
  /** Runs under way, with their agent's name and the last event that was told. */
  #runs = new Map();

  constructor(board, company, signal) {
    this.#board = board;
    this.#company = company;
    this.#signal = signal;
  }

  /** Reads on until the next run of this agent is over. A run that did not succeed is a `Failure` with its log. */
  async runOf(agent) {
    const until = performance.now() + patienceMs;
    for (;;) {
      const entry = await this.#next(until, agent);
      if (entry.action !== "run.finished" || entry.details.agentId !== agent.id) continue;
      const run = await this.#board.get(`/api/heartbeat-runs/${entry.entityId}`);
      if (run.status === "succeeded") return run;
      // What the service tries again by itself is no failure yet.
      if (run.cause.nextActor !== "service") throw await this.#failed(agent, run);
    }
  }

  /** Reads on to the present end of the log. */
  async catchUp() {
    while (this.#upcoming.length > 0 || (await this.#look())) await this.#take();
  }

  /** What the program of a run printed. */
  log(runId) {
    return this.#board.get(`/api/heartbeat-runs/${runId}/log`);
  }

  async #next(until, agent) {
    while (this.#upcoming.length === 0 && !(await this.#look())) {
      if (performance.now() > until) throw await this.#waitedInVain(agent);
      await this.#tellRuns();
      await pause(lookEveryMs, undefined, { signal: this.#signal });
    }
    return await this.#take();
  }

  async #look() {
    const after = this.entries.at(-1)?.seq ?? 0;
    this.#upcoming = await this.#board.get(`/api/companies/${this.#company.id}/activity?after=${after}&limit=200`);
    return this.#upcoming.length > 0;
  }

  async #take() {
    const entry = this.#upcoming.shift();
    this.entries.push(entry);
    const { action, details, entityId } = entry;
    if (action === "agent.woken") speak("Roster", `${details.name} is woken: ${details.reason}.`);
    if (action === "run.started") this.#runs.set(entityId, { name: details.agentName, after: 0 });
    if (action === "run.finished") await this.#tellEnd(entry);
    return entry;
  }

  async #tellEnd({ entityId, details }) {
    await this.#tellRuns();
    this.#runs.delete(entityId);
    speak("Roster", `${details.agentName}'s run ${entityId.slice(-6)} is over: ${details.status}. ${details.message}`);
  }

  async #tellRuns() {
    for (const [runId, run] of this.#runs) {
      const events = await this.#board.get(`/api/heartbeat-runs/${runId}/events?after=${run.after}&limit=200`);
      run.after = events.at(-1)?.seq ?? run.after;
      for (const { kind, data } of events) if (kind === "message") speak(run.name, data.text);
    }
  }

  async #failed(agent, run) {
    const log = await this.log(run.id);
    const printed = log === "" ? ["It printed nothing."] : ["What it printed:", ...log.trimEnd().split("\n")];
    return new Failure(`A run of ${agent.name} ended as ${run.status}. ${run.cause.message}`, printed);
  }

  async #waitedInVain(agent) {
    const [last] = await this.#board.get(
      `/api/companies/${this.#company.id}/heartbeat-runs?agentId=${agent.id}&limit=1`,
    );
    const { reasons } = await this.#board.get(`/api/agents/${agent.id}/whynot`);
    const state = last === undefined ? "It has had none." : `Its last one, ${last.id}, is ${last.status}.`;
    const why = reasons.map(({ code, message }) => `${code}: ${message}`);
    return new Failure(`Waited ${patienceMs / 1000} seconds for a run of ${agent.name}.`, [state, ...why]);
  }
}
