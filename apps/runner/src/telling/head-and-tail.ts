import type { Entry } from "./entry.ts";

const mebibyte = 1024 * 1024;
const blockBytes = 64 * 1024;

/** How much of the output of a stream is told: so much from its beginning, and so much from its end. */
export interface OutputShare {
  readonly headBytes: number;
  readonly tailBytes: number;
}

/**
 * 10 MiB of a run's output in all. Each stream has a share of its own, so that what is told of it depends on its own
 * bytes alone: how the two came in turn is not the same when they are read again.
 */
export const outputShares = {
  stdout: { headBytes: 4 * mebibyte, tailBytes: 4 * mebibyte },
  stderr: { headBytes: mebibyte, tailBytes: mebibyte },
} as const;

interface Block {
  readonly offset: number;
  length: number;
  bytes: number;
  readonly parts: Buffer[];
}

/**
 * Keeps the told output of one stream small: the beginning goes through, and of the rest the end is kept until the
 * stream has ended, in memory and at most `tailBytes` and a block. What is told depends on the entries alone.
 */
export class HeadAndTail {
  readonly #share: OutputShare;
  #headLeft: number;
  #isHeadOver = false;
  #blocks: Block[] = [];
  #tailBytes = 0;
  #leftOutBytes = 0;
  #keptFrom = 0;

  constructor(share: OutputShare) {
    this.#share = share;
    this.#headLeft = share.headBytes;
  }

  /** True when this output is to be told now; else it has been taken. */
  passes(entry: Entry): boolean {
    const bytes = entry.content?.length ?? 0;
    if (!this.#isHeadOver && bytes <= this.#headLeft) {
      this.#headLeft -= bytes;
      return true;
    }
    if (!this.#isHeadOver) this.#keptFrom = entry.offset;
    this.#isHeadOver = true;
    this.#keep(entry, entry.content ?? Buffer.alloc(0));
    return false;
  }

  /**
   * What is told once the stream has ended: how much was left out, and the end. By then events with later offsets may
   * have been told, and nothing is taken below those. So the rest counts on from the stream's end, as if it had been
   * printed once more: each entry keeps an offset that is the same whoever tells it.
   */
  rest(stream: Entry["stream"], end: number): Entry[] {
    const entries = this.#blocks.map((block): Entry => {
      const offset = end + (block.offset - this.#keptFrom);
      return { kind: "output", stream, offset, length: block.length, content: Buffer.concat(block.parts), data: null };
    });
    const first = this.#blocks[0];
    if (first === undefined || this.#leftOutBytes === 0) return entries;
    const data = { bytes: this.#leftOutBytes };
    const length = first.offset - this.#keptFrom;
    return [{ kind: "gap", stream, offset: end, length, content: null, data }, ...entries];
  }

  #keep({ offset, length }: Entry, content: Buffer): void {
    // A copy: a short line would keep the whole piece it came in.
    const part = Buffer.from(content);
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.offset + last.length === offset && last.bytes < blockBytes) {
      last.parts.push(part);
      last.length += length;
      last.bytes += part.length;
    } else {
      this.#blocks.push({ offset, length, bytes: part.length, parts: [part] });
    }
    this.#tailBytes += part.length;
    this.#forgetEarliest();
  }

  #forgetEarliest(): void {
    for (;;) {
      const [first, second] = this.#blocks;
      const isNeeded = first === undefined || this.#tailBytes - first.bytes < this.#share.tailBytes;
      if (isNeeded || second === undefined) return;
      this.#blocks.shift();
      this.#tailBytes -= first.bytes;
      this.#leftOutBytes += first.bytes;
    }
  }
}
