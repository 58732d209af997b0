import type { Translator } from "@roster/adapter";
import type { ToldEvent } from "@roster/contract";
import { type Chunk, follow } from "../follow.ts";
import { PatternAutomaton } from "../pattern-automaton.ts";
import { type ScrubbedPiece, Scrubber } from "../scrub.ts";
import { secretForms } from "../secret-forms.ts";
import { type Stream, streams } from "../spool.ts";
import type { SupervisedRun } from "../supervise.ts";
import type { Entry } from "./entry.ts";
import { HeadAndTail, outputShares } from "./head-and-tail.ts";
import { Outbox } from "./outbox.ts";
import { entriesOf } from "./translate.ts";
import { type Unit, UnitCutter } from "./units.ts";

/** What to tell the output of, and to whom. */
export interface Telling {
  readonly run: Pick<SupervisedRun, "spool" | "ended">;
  readonly translator: Translator;
  /** Values that must not be told. */
  readonly secrets: readonly string[];
  /** Up to where each stream was told already. */
  readonly stored: Readonly<Record<Stream, number>>;
  readonly post: (events: readonly ToldEvent[]) => Promise<void>;
}

interface Reading {
  readonly scrubber: Scrubber;
  readonly cutter: UnitCutter;
  readonly share: HeadAndTail;
  /** Of the source: where the reading began, which is later when the beginning is gone, and how far it is. */
  start: number | null;
  end: number;
}

/**
 * Tells the output of a run as it grows: scrubbed first, then cut into units, then translated, then sent. Resolves when
 * the run has ended and all was read, with the events that are still to be told. Always from the first byte on, since
 * each step goes on from the one before; what is stored already is read and not told. Throws what `post` throws.
 */
export async function tellOutput(telling: Telling): Promise<readonly ToldEvent[]> {
  const automaton = new PatternAutomaton(secretForms(telling.secrets));
  const begin = (stream: Stream): Reading => ({
    scrubber: new Scrubber(automaton),
    cutter: new UnitCutter(),
    share: new HeadAndTail(outputShares[stream]),
    start: null,
    end: 0,
  });
  const readings: Readonly<Record<Stream, Reading>> = { stdout: begin("stdout"), stderr: begin("stderr") };
  const outbox = new Outbox(telling.post);
  const put = async (stream: Stream, entries: readonly Entry[]): Promise<void> => {
    await outbox.put(entries.filter(({ offset }) => offset >= telling.stored[stream]));
  };
  const tell = async (stream: Stream, units: readonly Unit[]): Promise<void> => {
    const { share } = readings[stream];
    for (const unit of units) {
      const entries = entriesOf(unit, stream, telling.translator);
      await put(
        stream,
        entries.filter((entry) => entry.kind !== "output" || share.passes(entry)),
      );
    }
  };
  for await (const chunk of follow(telling.run)) {
    await tell(chunk.stream, unitsIn(readings[chunk.stream], chunk));
  }
  for (const stream of streams) {
    const reading = readings[stream];
    const { scrubber, cutter, share, end } = reading;
    await tell(stream, [...unitsOf(reading, scrubber.end()), ...cutter.end(end)]);
    for (const entry of share.rest(stream, end)) await put(stream, [entry]);
  }
  return await outbox.close();
}

function unitsIn(reading: Reading, { offset, bytes }: Chunk): Unit[] {
  reading.start ??= offset;
  reading.end = offset + bytes.length;
  return unitsOf(reading, reading.scrubber.push(bytes));
}

/** A scrubber counts from the first byte that it has seen. */
function unitsOf({ cutter, start }: Reading, pieces: readonly ScrubbedPiece[]): Unit[] {
  return pieces.flatMap((piece) => cutter.push({ ...piece, offset: (start ?? 0) + piece.offset }));
}
