/**
 * The line of a program's output that tells best why it ended: the last one that is a sentence of its own, neither a
 * line of the structured log nor a part of a stack trace or of a printed object.
 */
export function lastWords(lines: readonly string[]): string | null {
  return lines.findLast((line) => /^[^\s({}\]^]/.test(line) && /\p{L}/u.test(line) && !isTrace(line)) ?? null;
}

/** What a line of the structured log says when it is an error, else null. */
export function loggedError(line: string): string | null {
  const entry = parseEntry(line);
  if (entry === null || typeof entry.level !== "number" || entry.level < errorLevel) return null;
  const said = [entry.msg, entry.err?.message].filter((text) => typeof text === "string" && text !== "");
  return said.length === 0 ? null : [...new Set(said)].join(": ");
}

interface LogEntry {
  readonly level?: unknown;
  readonly msg?: unknown;
  readonly err?: { readonly message?: unknown } | null;
}

/** As pino numbers its levels: 50 error, 60 fatal. */
const errorLevel = 50;

function parseEntry(line: string): LogEntry | null {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line) as LogEntry;
  } catch {
    return null;
  }
}

/** Where Node says which file it was in, and which Node it is. */
function isTrace(line: string): boolean {
  return /^(file:|node:|\/)\S*:\d+$/.test(line) || /^Node\.js v\d/.test(line);
}
