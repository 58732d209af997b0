/** Tokens that a model says it used; `cached` ones were read from a cache and stand beside the input. */
export interface ScriptedUsage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

interface Spoken {
  /** Without it a little of each kind. */
  readonly usage?: ScriptedUsage;
  /** How long the answer takes to begin. */
  readonly afterMs?: number;
}

/** What a model answers once. */
export type Turn =
  /** It says something, and with that its work is done. */
  | (Spoken & { readonly text: string })
  /** It has the program run a command of the shell, and is asked again with what came of it. */
  | (Spoken & { readonly command: string })
  /** It refuses: 401 a key, 429 too many, 529 overloaded. */
  | { readonly refusal: number; readonly retryAfterSec?: number; readonly message?: string }
  /** The connection breaks off after the first words. */
  | { readonly cutOff: string };

/** A turn, or how it is made of what the command before has printed. */
export type ScriptedTurn = Turn | ((printed: string) => Turn);

/** Said where a script has nothing more to say. */
export const lastTurn: Turn = { text: "There is nothing more to do." };

/** What a turn used. Pure. */
export function usageOf(turn: Turn): ScriptedUsage {
  const used = "usage" in turn ? turn.usage : undefined;
  return used ?? { input: 100, cached: 10, output: 5 };
}
