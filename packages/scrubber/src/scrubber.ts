import type { PatternAutomaton } from "./pattern-automaton.ts";

const redaction = Buffer.from("[redacted]");

/**
 * A piece of scrubbed output. Its offset is that of its first byte in the source, so the events made of it keep the
 * identity they have in the spool. Text is as long as in the source; a redaction stands for all up to where the next
 * piece starts, and nothing can start inside of it.
 */
export interface ScrubbedPiece {
  readonly offset: number;
  readonly bytes: Buffer;
  readonly isRedaction: boolean;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Scrubs one stream, from its first byte on. Every byte that belongs to an occurrence of a pattern is removed; each
 * unbroken run of such bytes becomes one `[redacted]`. What comes out depends on the bytes alone, not on how they were
 * cut. Held back are exactly the bytes that may yet become a pattern. Pure: no clock, no timer.
 */
export class Scrubber {
  readonly #automaton: PatternAutomaton;
  #state: number;
  /** Source offset up to which was read, and up to which was given out. */
  #read = 0;
  #released = 0;
  /** The bytes between the two. */
  #held: Buffer = Buffer.alloc(0);
  /** What is to be redacted and not given out yet; ordered, apart from each other. */
  #spans: Span[] = [];
  #endsRedacted = false;

  constructor(automaton: PatternAutomaton) {
    this.#automaton = automaton;
    this.#state = automaton.start;
  }

  /** Takes the next bytes, which must not change afterwards, and gives out what is certain. */
  push(bytes: Buffer): ScrubbedPiece[] {
    const automaton = this.#automaton;
    let state = this.#state;
    let at = this.#read;
    for (const byte of bytes) {
      state = automaton.step(state, byte);
      at += 1;
      const length = automaton.matchLength(state);
      if (length > 0) this.#mark(at - length, at);
    }
    this.#state = state;
    this.#read = at;
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    return this.#release(at - automaton.prefixLength(state));
  }

  /** Gives out what was held back: nothing more comes. */
  end(): ScrubbedPiece[] {
    return this.#release(this.#read);
  }

  /** Marks come in the order of their ends, so each span is joined once: the time stays linear. */
  #mark(from: number, to: number): void {
    let start = from;
    for (let last = this.#spans.at(-1); last !== undefined && last.to >= start; last = this.#spans.at(-1)) {
      start = Math.min(start, last.from);
      this.#spans.pop();
    }
    this.#spans.push({ from: start, to });
  }

  #release(to: number): ScrubbedPiece[] {
    const source = this.#held;
    const sourceOffset = this.#released;
    const pieces: ScrubbedPiece[] = [];
    const releaseText = (until: number): void => {
      if (until <= this.#released) return;
      const bytes = source.subarray(this.#released - sourceOffset, until - sourceOffset);
      pieces.push({ offset: this.#released, bytes, isRedaction: false });
      this.#released = until;
      this.#endsRedacted = false;
    };
    for (const span of this.#spans) {
      if (span.from >= to) break;
      releaseText(span.from);
      // Else it goes on from what was given out before.
      if (!this.#endsRedacted) pieces.push({ offset: this.#released, bytes: redaction, isRedaction: true });
      this.#endsRedacted = true;
      this.#released = Math.min(span.to, to);
    }
    releaseText(to);
    this.#spans = this.#spans.filter((span) => span.to > to);
    // A copy: a few bytes would keep the whole piece they came in.
    this.#held = Buffer.from(source.subarray(to - sourceOffset));
    return pieces;
  }
}
