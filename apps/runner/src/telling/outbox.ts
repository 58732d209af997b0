import { mostEvents, type ToldEvent } from "@roster/contract";
import { type Entry, sizeOf, toldOf } from "./entry.ts";

const flushEveryMs = 100;
const mostBytes = 256 * 1024;

/** An entry that may still grow. */
interface Growing {
  readonly first: Entry;
  length: number;
  /** Of output only. */
  readonly parts: Buffer[] | null;
}

/** Sends what is told of one run, in order and one call at a time. */
export class Outbox {
  readonly #post: (events: readonly ToldEvent[]) => Promise<void>;
  #open: Growing[] = [];
  #openBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #inFlight: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;
  #isClosed = false;

  /** `post` resolves when the events are stored, and may take as long as that takes. */
  constructor(post: (events: readonly ToldEvent[]) => Promise<void>) {
    this.#post = post;
  }

  /**
   * Takes entries that belong into one call. Sent at the latest a tenth of a second later, unless a call is under way.
   * Resolves when there is room for more; throws what `post` has thrown.
   */
  async put(entries: readonly Entry[]): Promise<void> {
    if (this.#failure !== null) throw this.#failure.error;
    if (entries.length === 0) return;
    const bytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
    const isOver = this.#openBytes + bytes > mostBytes || this.#open.length + entries.length > mostEvents;
    if (isOver && this.#open.length > 0) await this.#flush();
    for (const entry of entries) this.#add(entry);
    this.#openBytes += bytes;
    this.#timer ??= setTimeout(() => this.#onTime(), flushEveryMs);
  }

  /** Waits for the call that is under way and hands out what was not sent; nothing is sent any more. */
  async close(): Promise<readonly ToldEvent[]> {
    this.#isClosed = true;
    this.#stopTimer();
    await this.#landed();
    return this.#take();
  }

  /** Output that goes on where the last entry ends becomes one with it. */
  #add(entry: Entry): void {
    const last = this.#open.at(-1);
    const goesOn = last?.first.stream === entry.stream && last.first.offset + last.length === entry.offset;
    if (goesOn && last.parts !== null && entry.content !== null) {
      last.parts.push(entry.content);
      last.length += entry.length;
    } else {
      this.#open.push({ first: entry, length: entry.length, parts: entry.content === null ? null : [entry.content] });
    }
  }

  /** Sends what is open, after the call that is under way. */
  async #flush(): Promise<void> {
    this.#stopTimer();
    await this.#landed();
    this.#send();
  }

  async #landed(): Promise<void> {
    while (this.#inFlight !== null) await this.#inFlight;
    if (this.#failure !== null) throw this.#failure.error;
  }

  #onTime(): void {
    this.#timer = null;
    // Else it is sent as soon as that call has landed.
    if (this.#inFlight === null) this.#send();
  }

  #send(): void {
    if (this.#open.length === 0 || this.#failure !== null || this.#isClosed) return;
    this.#inFlight = this.#post(this.#take())
      .catch((error: unknown) => {
        this.#failure = { error };
      })
      .finally(() => {
        this.#inFlight = null;
        if (this.#timer === null) this.#send();
      });
  }

  #take(): ToldEvent[] {
    const events = this.#open.map(({ first, length, parts }) =>
      toldOf({ ...first, length, content: parts === null ? null : Buffer.concat(parts) }),
    );
    this.#open = [];
    this.#openBytes = 0;
    return events;
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
