import type { AdapterEvent, Translator } from "@roster/adapter";
import type { Stream } from "../spool.ts";
import type { Entry } from "./entry.ts";
import { storable } from "./storable.ts";
import type { Unit } from "./units.ts";

/** More of one line than any program says; what has more is told as it was printed. */
const mostEntries = 100;

/**
 * What a unit is told as: the events that the adapter makes of it, or its content as output. At most one of the entries
 * is output, and all have the unit's range. An adapter that throws has made nothing of it.
 */
export function entriesOf(unit: Unit, stream: Stream, translator: Translator): Entry[] {
  const range = { stream, offset: unit.offset, length: unit.length };
  const asPrinted: Entry = { ...range, kind: "output", content: unit.content, data: null };
  const made = translated(unit, stream, translator);
  return (made === null ? null : entriesFor(made, range)) ?? [asPrinted];
}

/** What is told when a program has said everything, as if it had printed one byte more. */
export function lastEntriesOf(translator: Translator, end: number): Entry[] {
  return entriesFor(saidAtEnd(translator), { stream: "stdout", offset: end, length: 1 }) ?? [];
}

/** Null where they cannot be told. */
function entriesFor(made: readonly AdapterEvent[], range: Pick<Entry, "stream" | "offset" | "length">): Entry[] | null {
  if (made.length > mostEntries) return null;
  const entries: Entry[] = [];
  for (const event of made) {
    const data = event.kind === "output" ? null : storable(event.data);
    if (event.kind !== "output" && data === null) return null;
    if (event.kind !== "output") entries.push({ ...range, kind: event.kind, content: null, data });
  }
  const words = made.flatMap((event) => (event.kind === "output" ? [event.text] : []));
  if (words.length > 0) entries.push({ ...range, kind: "output", content: Buffer.from(words.join("")), data: null });
  return entries;
}

function saidAtEnd(translator: Translator): readonly AdapterEvent[] {
  try {
    return translator.end?.() ?? [];
  } catch {
    return [];
  }
}

function translated({ content }: Unit, stream: Stream, translator: Translator): readonly AdapterEvent[] | null {
  try {
    return translator.line(stream, content.toString("utf8").replace(/\r?\n$/, ""));
  } catch {
    return null;
  }
}
