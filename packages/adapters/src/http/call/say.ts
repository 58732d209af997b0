import { writeSync } from "node:fs";
import { type CallFailure, callLines } from "../call-input.ts";

type Line = Readonly<Record<string, unknown>>;

/** Prints a line that becomes an event of the run. */
export function sayEvent(line: Line): void {
  sayBytes(Buffer.from(`${JSON.stringify(line)}\n`));
}

/** Prints a word to whoever reads the run. */
export const sayWord = (text: string): void => sayEvent({ type: "message", role: "system", text });

/** Prints why the call failed. */
export const sayFailure = (failure: CallFailure): void => sayEvent({ type: callLines.failed, ...failure });

/** From now on everything is the text of the answer, whatever it looks like. */
export const sayText = (): void => sayEvent({ type: callLines.text });

/** Prints bytes as they are: whole, because this process may end at any moment. */
export function sayBytes(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

/** Prints a word beside the answer. */
export const sayComplaint = (text: string): void => void writeSync(2, `${text}\n`);
