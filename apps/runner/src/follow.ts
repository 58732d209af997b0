import { readFileSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Offsets, type Spool, type Stream, streams } from "./spool.ts";

const lookEveryMs = 100;
const mostChunkBytes = 64 * 1024;

/** A piece of output. Stream and offset identify each of its bytes, however the output was cut into pieces. */
export interface Chunk {
  readonly stream: Stream;
  /** Of the first byte, in everything that the stream has held. */
  readonly offset: number;
  /** Not used again for anything else. */
  readonly bytes: Buffer;
}

/** What to follow, and from where on. */
export interface Followed {
  readonly spool: Spool;
  /** Resolves when nothing is written any more. */
  readonly ended: Promise<unknown>;
  readonly from?: Offsets;
  /** Where another program's output begins; without it everything is followed. */
  readonly to?: Offsets;
}

interface Reader {
  readonly stream: Stream;
  readonly file: FileHandle;
  /** Where it is noted how much was read before the file was last emptied. */
  readonly note: string;
  /** How much that was, and how far the file has been read since. */
  before: number;
  position: number;
  readonly to: number;
}

/**
 * The output of a run, from the given offsets on, as it grows; ends when the run has ended and all has been read. It
 * reads when it is asked, so however much there is, one piece is in memory. Followed again it yields the same bytes at
 * the same offsets; the borders of the pieces are arbitrary.
 *
 * A program that says `>/dev/stderr` empties its own output. When the file has become shorter than what was read, it is
 * read from its start again, with offsets that go on where the reading was, also for whoever follows later. What was not
 * read by then is gone; and what has grown as long again between two looks, a tenth of a second apart, is taken for the
 * same file, and its beginning is missed.
 */
export async function* follow({ spool, ended, from, to }: Followed): AsyncGenerator<Chunk, void, undefined> {
  const over = new AbortController();
  void ended.finally(() => over.abort()).catch(() => undefined);
  const readers: Reader[] = [];
  try {
    for (const stream of streams) {
      const note = `${spool[stream]}.emptied`;
      const before = emptiedAt(note);
      const position = Math.max((from?.[stream] ?? 0) - before, 0);
      const file = await open(spool[stream], "r");
      readers.push({ stream, note, before, position, to: to?.[stream] ?? Number.POSITIVE_INFINITY, file });
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
  if (size < reader.position) {
    reader.before += reader.position;
    reader.position = 0;
    // Before anything is told under these offsets.
    writeFileSync(reader.note, String(reader.before), { mode: 0o600 });
  }
  const end = Math.min(size, reader.to - reader.before);
  if (end <= reader.position) return null;
  const buffer = Buffer.allocUnsafeSlow(Math.min(end - reader.position, mostChunkBytes));
  const { bytesRead } = await reader.file.read(buffer, 0, buffer.length, reader.position);
  if (bytesRead === 0) return null;
  const offset = reader.before + reader.position;
  reader.position += bytesRead;
  return { stream: reader.stream, offset, bytes: buffer.subarray(0, bytesRead) };
}

function emptiedAt(note: string): number {
  try {
    return Number(readFileSync(note, "utf8"));
  } catch {
    return 0;
  }
}
