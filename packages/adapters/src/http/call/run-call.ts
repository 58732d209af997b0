import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Egress, faultOf } from "@roster/egress";
import { type CallInput, exitCodes } from "../call-input.ts";
import { awaitCompletion } from "./await-completion.ts";
import { CallFailed, failureByWord, failureOfAnswer, failureOfSilence, failureOfWay } from "./failure.ts";
import { connect, post } from "./post.ts";
import { sayComplaint, sayFailure, sayWord } from "./say.ts";
import { tellAnswer, tellAsText } from "./tell-answer.ts";

/** As a shell says that a program was ended by SIGTERM. */
const endedCode = 143;
/** Before the patience of the runner is over. */
const marginMs = 1000;

/** One run over HTTP: its call, the end of it, and that it is cancelled. */
export class RunCall {
  readonly #input: CallInput;
  readonly #egress: Egress;
  /** Everything that is under way is given up. */
  readonly #over = new AbortController();
  #isSent = false;
  #isAccepted = false;
  #cancelling: Promise<void> | null = null;

  constructor(input: CallInput, egress: Egress) {
    this.#input = input;
    this.#egress = egress;
  }

  /** Makes the call and waits for its end; answers the exit code. What there is to say has been printed. */
  async run(): Promise<number> {
    try {
      return await this.#call();
    } catch (error) {
      if (this.#over.signal.aborted) return endedCode;
      if (!(error instanceof CallFailed)) throw error;
      sayFailure(error.failure);
      return exitCodes.failed;
    }
  }

  /**
   * Tells the receiver that nobody waits for the run any more. It has the grace to end: an answer that comes within it
   * is still told; after a 202 it is enough that it has heard.
   */
  async cancel(): Promise<void> {
    this.#cancelling ??= this.#cancel();
    await this.#cancelling;
  }

  async #cancel(): Promise<void> {
    const graceMs = this.#input.graceSec * 1000;
    const until = performance.now() + Math.max(graceMs - marginMs, graceMs / 2);
    const leftMs = (): number => Math.max(until - performance.now(), 0);
    if (this.#isSent) await this.#tellCancelled(leftMs());
    if (this.#isSent && !this.#isAccepted) await pause(leftMs());
    this.#over.abort(new Error("cancelled"));
  }

  async #tellCancelled(withinMs: number): Promise<void> {
    const { runId, cancel } = this.#input;
    const patience = AbortSignal.timeout(Math.ceil(withinMs));
    try {
      const line = await connect(this.#egress, this.#input, patience);
      const message = { id: `${runId}-cancel`, body: cancel };
      await post(line, this.#input, message, patience).finally(() => line.close());
    } catch (error) {
      sayComplaint(`The receiver was not told that the run is cancelled: it ${faultOf(error).message}.`);
    }
  }

  async #call(): Promise<number> {
    const { signal } = this.#over;
    const { runId, start } = this.#input;
    const line = await connect(this.#egress, this.#input, signal).catch((error: unknown) => {
      throw new CallFailed(failureOfWay(faultOf(error)));
    });
    try {
      this.#isSent = true;
      const answer = await post(line, this.#input, { id: runId, body: start }, signal).catch((error: unknown) => {
        throw new CallFailed(failureOfSilence(error));
      });
      if (answer.statusCode !== 202) return await this.#finish(answer);
    } finally {
      line.close();
    }
    return await this.#awaitEnd();
  }

  async #finish(answer: IncomingMessage): Promise<number> {
    const failure = failureOfAnswer(answer, Date.now());
    try {
      if (failure !== null) {
        // Before the text: what comes after that is taken for text.
        sayFailure(failure);
        await tellAsText(answer);
        return exitCodes.failed;
      }
      const said = await tellAnswer(answer);
      if (said?.isError !== true) return 0;
      sayFailure(failureByWord(said.text));
      return exitCodes.failed;
    } catch (error) {
      if (this.#over.signal.aborted) throw error;
      return exitCodes.brokenOff;
    }
  }

  async #awaitEnd(): Promise<number> {
    this.#isAccepted = true;
    sayWord("The receiver has accepted the run and will say how it came out.");
    const completion = await awaitCompletion(this.#input, this.#over.signal);
    if (completion === null) {
      // The run is to end, and the signal for it is on its way.
      await this.cancel();
      return endedCode;
    }
    if (completion.hasSucceeded) return 0;
    sayFailure(failureByWord(completion.words));
    return exitCodes.failed;
  }
}
