import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const lookEveryMs = 250;

/** The runner's token, from the file that the server writes. */
export interface TokenFile {
  /** The token; waits until the file is there. */
  token(signal: AbortSignal): Promise<string>;
  /** It was refused: the next time the file is read again. */
  forget(token: string): void;
}

/** Reads the file when the token is needed; `onMissing` is called once, when it is not there yet. */
export function tokenFile(path: string, onMissing: () => void): TokenFile {
  let known: string | null = null;
  let isTold = false;
  const token = async (signal: AbortSignal): Promise<string> => {
    for (;;) {
      signal.throwIfAborted();
      known ??= await readToken(path);
      if (known !== null) return known;
      if (!isTold) onMissing();
      isTold = true;
      await pause(lookEveryMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const forget = (refused: string): void => {
    if (known === refused) known = null;
  };
  return { token, forget };
}

async function readToken(path: string): Promise<string | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  const line = text.trim();
  return /^svr_\S+$/.test(line) ? line : null;
}
