import { appendFileSync } from "node:fs";

export interface Voice {
  /** To the terminal and to the launcher's log, which is there when the terminal is not. */
  say(line: string): void;
  /** To the log only. */
  note(line: string): void;
}

export function voice(logPath: string): Voice {
  const note = (line: string): void => {
    try {
      appendFileSync(logPath, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not end the one process that keeps the others alive.
    }
  };
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`);
    note(line);
  };
  return { say, note };
}

/** A closed terminal or pipe must not end the launcher. */
export function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
