import { constants } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";

const rotateAboveBytes = 8 * 1024 * 1024;
/** A failed start says little; a server that ran for long may have written a lot. */
const wordsLimitBytes = 64 * 1024;

/** The server's log, open for one start. */
export interface ServerLog {
  readonly file: FileHandle;
  /** What was first written by the process with this pid since the log was opened. */
  wordsOf(pid: number): Promise<string>;
}

/** Opens the log for a server that is about to start; a large one is put aside as `.1`. */
export async function openServerLog(path: string): Promise<ServerLog> {
  const size = await stat(path)
    .then((found) => found.size)
    .catch(() => 0);
  if (size > rotateAboveBytes) await rename(path, `${path}.1`);
  // The folder belongs to the server's account: as root, a link in it must not lead the writing elsewhere.
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const file = await open(path, flags, 0o600);
  const start = (await file.stat()).size;
  return {
    file,
    wordsOf: async (pid) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(wordsLimitBytes), 0, wordsLimitBytes, start);
      return linesOf(buffer.toString("utf8", 0, bytesRead), pid);
    },
  };
}

/**
 * The lines of one process without time and pid. Another starter may write to the same file, so lines of other
 * processes are left out; when nothing is marked, the program did not even load, and everything is taken.
 */
export function linesOf(text: string, pid: number): string {
  const lines = text.split("\n");
  const marked = lines.filter((line) => line.includes(` [${pid}] `));
  return (marked.length > 0 ? marked.map((line) => line.slice(line.indexOf("] ") + 2)) : lines).join("\n").trim();
}

/** What a failed start comes down to: its errors and hints on one line. */
export function complaintIn(words: string): string {
  const lines = words.split("\n").map((line) => line.trim());
  const chosen = lines.filter((line) => /^(FATAL|PANIC|ERROR|HINT|DETAIL|WARNING):/.test(line));
  return (chosen.length > 0 ? chosen : lines.slice(-3)).join(" ").replace(/\s+/g, " ");
}
