import { copyFile, type FileHandle, open, truncate } from "node:fs/promises";

const largestBytes = 32 * 1024 * 1024;
const lookEveryMs = 250;

/** Opens a log so that several processes can append to it. */
export async function openLog(path: string): Promise<FileHandle> {
  return await open(path, "a", 0o600);
}

/** Reads on at the end of a log that another process writes. */
export interface Follower {
  /** Hands on what has been written up to now, and ends. */
  close(): Promise<void>;
}

/**
 * Hands every whole line that is appended from now on to `onLine`, within a quarter of a second. Keeps the log from
 * growing for ever: one that is large is copied to `<path>.1` and emptied. The writer has it open and goes on; what it
 * writes between the copy and the emptying is lost.
 */
export async function follow(path: string, onLine: (line: string) => void): Promise<Follower> {
  const file = await open(path, "r");
  let position = (await file.stat()).size;
  let rest = "";
  let reading = Promise.resolve();
  const decoder = new TextDecoder();
  const buffer = Buffer.alloc(64 * 1024);

  const read = async (): Promise<void> => {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      const lines = (rest + decoder.decode(buffer.subarray(0, bytesRead), { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line);
    }
    if (position <= largestBytes) return;
    await copyFile(path, `${path}.1`);
    await truncate(path);
    position = 0;
  };
  const catchUp = (): Promise<void> => {
    reading = reading.then(read).catch(() => undefined);
    return reading;
  };
  const timer = setInterval(() => void catchUp(), lookEveryMs).unref();
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await catchUp();
    await file.close();
  };
  return { close };
}
