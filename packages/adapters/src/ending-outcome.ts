import type { AdapterOutcome, ProgramEnding } from "@roster/adapter";

/** What an ending means where the program has said nothing about it: 0 is success. Pure. */
export function endingOutcome({ exitCode, signal }: ProgramEnding): AdapterOutcome {
  if (exitCode === 0) return { code: "ok", message: "The program ended with exit code 0." };
  if (exitCode !== null) return { code: "agent_error", message: `The program ended with exit code ${exitCode}.` };
  return { code: "agent_error", message: `The program was ended by the signal ${signal}.` };
}
