import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Spool, type Stream, streams } from "./spool.ts";

const lookEveryMs = 100;
const mostChunkBytes = 64 * 1024;

/** A piece of output. Stream and offset identify each of its bytes, however the output was cut into pieces. */
export interface Chunk {
  readonly stream: Stream;
  /** Of the first byte, in the stream's file. */
  readonly offset: number;
  /** Not used again for anything else. */
  readonly bytes: Buffer;
}

/** What to follow, and from where on. */
export interface Followed {
  readonly spool: Spool;
  /** Resolves when nothing is written any more. */
  readonly ended: Promise<unknown>;
  readonly from?: Readonly<Record<Stream, number>>;
}

interface Reader {
  readonly stream: Stream;
  readonly file: FileHandle;
  offset: number;
}

/**
 * The output of a run, from the given offsets on, as it grows; ends when the run has ended and all has been read. It
 * reads when it is asked, so however much there is, one piece is in memory. Followed again it yields the same bytes at
 * the same offsets; the borders of the pieces are arbitrary.
 */
export async function* follow({ spool, ended, from }: Followed): AsyncGenerator<Chunk, void, undefined> {
  const over = new AbortController();
  void ended.finally(() => over.abort()).catch(() => undefined);
  const readers: Reader[] = [];
  try {
    for (const stream of streams) {
      readers.push({ stream, file: await open(spool[stream], "r"), offset: from?.[stream] ?? 0 });
    }
    yield* growth(readers, over.signal);
  } finally {
    for (const { file } of readers) await file.close();
  }
}

async function* growth(readers: readonly Reader[], over: AbortSignal): AsyncGenerator<Chunk, void, undefined> {
  for (;;) {
    // Asked before reading: what was written before the end is then read after it.
    const isLast = over.aborted;
    let hasGrown = false;
    for (const reader of readers) {
      const chunk = await readChunk(reader);
      if (chunk === null) continue;
      hasGrown = true;
      yield chunk;
    }
    if (hasGrown) continue;
    if (isLast) return;
    // The files are looked at: notices of change get lost on network and container file systems, a look does not.
    await pause(lookEveryMs, undefined, { signal: over }).catch(() => undefined);
  }
}

async function readChunk(reader: Reader): Promise<Chunk | null> {
  const { size } = await reader.file.stat();
  if (size <= reader.offset) return null;
  const buffer = Buffer.allocUnsafeSlow(Math.min(size - reader.offset, mostChunkBytes));
  const { bytesRead } = await reader.file.read(buffer, 0, buffer.length, reader.offset);
  if (bytesRead === 0) return null;
  const chunk = { stream: reader.stream, offset: reader.offset, bytes: buffer.subarray(0, bytesRead) };
  reader.offset += bytesRead;
  return chunk;
}
