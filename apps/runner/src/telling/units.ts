import type { ScrubbedPiece } from "@roster/scrubber";

const newline = 0x0a;
const openBrace = 0x7b;

const longestCharacterBytes = 4;

/** Longest unit, in bytes: a line that begins as JSON may be longer, because half of it would mean nothing. */
export const mostUnitBytes = 64 * 1024;
export const mostJsonBytes = 1024 * 1024;

/**
 * A piece of output that is told as a whole: a line with its end, or a part of a line that is too long. `offset` and
 * `length` are bytes of the source; the content is scrubbed and may be shorter or longer.
 */
export interface Unit {
  readonly offset: number;
  readonly length: number;
  readonly content: Buffer;
}

/**
 * Cuts the scrubbed output of one stream into units. Which units come out depends on the bytes alone, not on how they
 * came in pieces: whoever reads the output again gets the same. A cut is never inside of a redaction, nor of a
 * character. Pure.
 */
export class UnitCutter {
  #parts: Buffer[] = [];
  #size = 0;
  /** Of the first byte of the unit that is being put together. */
  #offset = 0;
  #mostBytes = mostUnitBytes;
  #isLineStart = true;

  /** Takes the next piece and gives out the units that are complete with it. */
  push({ offset, bytes, isRedaction }: ScrubbedPiece): Unit[] {
    const units: Unit[] = [];
    // Only now it is known up to where the redaction reached that has filled it.
    if (this.#size >= this.#mostBytes) units.push(this.#close(offset));
    if (isRedaction) {
      this.#append(bytes, offset);
      return units;
    }
    for (let at = 0; at < bytes.length; ) {
      const rest = bytes.subarray(at);
      at += this.#append(rest.subarray(0, this.#fitting(rest)), offset + at);
      if (bytes[at - 1] === newline || this.#isOverfull(bytes, at)) units.push(this.#close(offset + at));
    }
    return units;
  }

  /** Gives out what was held back: the source has ended here. */
  end(offset: number): Unit[] {
    return this.#size === 0 ? [] : [this.#closeAt(offset, 0)];
  }

  /** How many of the bytes belong to the present unit. */
  #fitting(bytes: Buffer): number {
    if (this.#size === 0) this.#mostBytes = this.#isLineStart && bytes[0] === openBrace ? mostJsonBytes : mostUnitBytes;
    const end = bytes.indexOf(newline);
    return Math.min(end === -1 ? bytes.length : end + 1, this.#mostBytes - this.#size);
  }

  /** Full, and it is known that more follows. */
  #isOverfull(bytes: Buffer, at: number): boolean {
    return this.#size >= this.#mostBytes && at < bytes.length;
  }

  #append(bytes: Buffer, offset: number): number {
    if (this.#size === 0) this.#offset = offset;
    this.#parts.push(bytes);
    this.#size += bytes.length;
    return bytes.length;
  }

  #close(end: number): Unit {
    return this.#closeAt(end, brokenCharacterBytes(this.#whole()));
  }

  /** All of it as one; a line that came in one piece, as most do, is not copied. */
  #whole(): Buffer {
    const [first, ...more] = this.#parts;
    if (first !== undefined && more.length === 0) return first;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [whole];
    return whole;
  }

  /** The unit up to here, but for its last bytes, with which the next one begins. */
  #closeAt(end: number, kept: number): Unit {
    const whole = this.#whole();
    const content = whole.subarray(0, whole.length - kept);
    const unit = { offset: this.#offset, length: end - kept - this.#offset, content };
    this.#parts = kept === 0 ? [] : [whole.subarray(whole.length - kept)];
    this.#size = kept;
    this.#offset = end - kept;
    this.#mostBytes = mostUnitBytes;
    this.#isLineStart = content.at(-1) === newline;
    return unit;
  }
}

/** How many bytes at the end begin a character of UTF-8 that goes on after them. Pure. */
function brokenCharacterBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(longestCharacterBytes - 1, bytes.length - 1); back += 1) {
    const byte = bytes.at(-back) ?? 0;
    // Bytes in the middle of a character are those between.
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < characterBytes(byte) ? back : 0;
  }
  return 0;
}

function characterBytes(first: number): number {
  if (first >= 0xf0) return longestCharacterBytes;
  return first >= 0xe0 ? 3 : 2;
}
