/** One event of an event stream. */
export interface ServerEvent {
  readonly kind: string;
  /** Where to go on from; null when it has none. */
  readonly id: string | null;
  readonly data: string;
  /** Pause before the next connection that the service asked for with it. */
  readonly retryMs: number | null;
}

/** The events in the text of a stream, whatever its pieces are. What is not ended by an empty line is none. */
export async function* readEvents(pieces: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  let lines: string[] = [];
  for await (const line of linesOf(pieces)) {
    if (line !== "") lines.push(line);
    else if (lines.length > 0) {
      yield eventOf(lines);
      lines = [];
    }
  }
}

/** The lines in the text of a stream, whatever its pieces are, each without its end; what has no end is none. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
}

function eventOf(lines: readonly string[]): ServerEvent {
  const fields = lines.map((line) => /^([^:]*):? ?(.*)$/s.exec(line) ?? []);
  const last = (wanted: string): string | null => fields.findLast(([, name]) => name === wanted)?.[2] ?? null;
  const data = fields.filter(([, name]) => name === "data").map(([, , text = ""]) => text);
  const retry = last("retry") ?? "";
  return {
    kind: last("event") ?? "message",
    id: last("id"),
    data: data.join("\n"),
    retryMs: /^\d+$/.test(retry) ? Number(retry) : null,
  };
}
