import type { Translator } from "@roster/adapter";
import type { ToldEvent } from "@roster/contract";
import { PatternAutomaton, type ScrubbedPiece, Scrubber, secretForms } from "@roster/scrubber";
import { type Chunk, type Followed, follow } from "../follow.ts";
import { type Offsets, type Stream, streams } from "../spool.ts";
import type { Entry } from "./entry.ts";
import { HeadAndTail, outputShares } from "./head-and-tail.ts";
import { Outbox } from "./outbox.ts";
import { entriesOf, lastEntriesOf } from "./translate.ts";
import { type Unit, UnitCutter } from "./units.ts";

/** To whom the output of a run is told. */
export interface Telling {
  /** Values that must not be told. */
  readonly secrets: readonly string[];
  /** Up to where each stream was told already. */
  readonly stored: Offsets;
  readonly post: (events: readonly ToldEvent[]) => Promise<void>;
}

/** What one program of a run prints, and who understands it. */
export type OutputPart = Followed & { readonly translator: Translator };

interface Reading {
  readonly scrubber: Scrubber;
  readonly cutter: UnitCutter;
  /** Of the source: where the reading began, which is later when the beginning is gone. */
  start: number | null;
}

/**
 * Tells the output of a run as it grows: scrubbed first, then cut into units, then translated, then sent. Always from
 * the first byte on, since each step goes on from the one before; what is stored already is read and not told. What is
 * told depends on the bytes, and on where one program's end and the next one's begin.
 */
export class OutputTeller {
  readonly #telling: Telling;
  readonly #outbox: Outbox;
  readonly #automaton: PatternAutomaton;
  readonly #shares: Readonly<Record<Stream, HeadAndTail>>;
  readonly #ends: Record<Stream, number> = { stdout: 0, stderr: 0 };

  constructor(telling: Telling) {
    this.#telling = telling;
    this.#outbox = new Outbox(telling.post);
    this.#automaton = new PatternAutomaton(secretForms(telling.secrets));
    this.#shares = { stdout: new HeadAndTail(outputShares.stdout), stderr: new HeadAndTail(outputShares.stderr) };
  }

  /** Up to where each stream was read. */
  get ends(): Offsets {
    return { ...this.#ends };
  }

  /** Resolves when the program has ended and all it printed was read. Throws what `post` throws. */
  async tell(part: OutputPart): Promise<void> {
    const { translator } = part;
    const begin = (): Reading => ({
      scrubber: new Scrubber(this.#automaton),
      cutter: new UnitCutter(),
      start: null,
    });
    const readings: Readonly<Record<Stream, Reading>> = { stdout: begin(), stderr: begin() };
    for await (const chunk of follow(part)) {
      await this.#tellUnits(chunk.stream, this.#unitsIn(readings[chunk.stream], chunk), translator);
    }
    for (const stream of streams) {
      const { scrubber, cutter, start } = readings[stream];
      const last = [...unitsOf({ cutter, start }, scrubber.end()), ...cutter.end(this.#ends[stream])];
      await this.#tellUnits(stream, last, translator);
    }
  }

  /**
   * After the last program: answers what is still to be told, with what its translator has to say at the end. What
   * stands beyond the end of a stream counts on from it.
   */
  async close(translator: Translator): Promise<readonly ToldEvent[]> {
    const ends = { ...this.#ends };
    for (const stream of streams) {
      for (const entry of this.#shares[stream].rest(stream, this.#ends[stream])) {
        ends[stream] = Math.max(ends[stream], entry.offset + entry.length);
        await this.#put(stream, [entry]);
      }
    }
    await this.#put("stdout", lastEntriesOf(translator, ends.stdout));
    return await this.#outbox.close();
  }

  #unitsIn(reading: Reading, { stream, offset, bytes }: Chunk): Unit[] {
    reading.start ??= offset;
    this.#ends[stream] = offset + bytes.length;
    return unitsOf(reading, reading.scrubber.push(bytes));
  }

  async #tellUnits(stream: Stream, units: readonly Unit[], translator: Translator): Promise<void> {
    for (const unit of units) {
      const entries = entriesOf(unit, stream, translator);
      await this.#put(
        stream,
        entries.filter((entry) => entry.kind !== "output" || this.#shares[stream].passes(entry)),
      );
    }
  }

  async #put(stream: Stream, entries: readonly Entry[]): Promise<void> {
    await this.#outbox.put(entries.filter(({ offset }) => offset >= this.#telling.stored[stream]));
  }
}

/** A scrubber counts from the first byte that it has seen. */
function unitsOf({ cutter, start }: Pick<Reading, "cutter" | "start">, pieces: readonly ScrubbedPiece[]): Unit[] {
  return pieces.flatMap((piece) => cutter.push({ ...piece, offset: (start ?? 0) + piece.offset }));
}
