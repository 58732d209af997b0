import { Refusal } from "./refusal.ts";

interface Move<S extends string> {
  readonly from: readonly S[];
  readonly to: S;
}

/** The states of one kind of entity and every move between them, as data. */
export interface Lifecycle<S extends string, M extends string> {
  readonly entity: string;
  readonly states: readonly S[];
  readonly moves: Readonly<Record<M, Move<S>>>;
}

/** Declares a lifecycle; the database's `check` constraint is made from the same states. */
export function lifecycle<const S extends string, const M extends string>(declared: Lifecycle<S, M>): Lifecycle<S, M> {
  return declared;
}

/** The state a move leads to, or undefined where the current state does not allow it. Pure. */
export function nextState<S extends string, M extends string>(
  { moves }: Lifecycle<S, M>,
  move: M,
  current: S,
): S | undefined {
  return moves[move].from.includes(current) ? moves[move].to : undefined;
}

/** The refusal of a move that the current state does not allow; `details` name the current state and the good ones. */
export function wrongState<S extends string, M extends string>(
  { entity, moves }: Lifecycle<S, M>,
  move: M,
  current: S,
): Refusal {
  const allowed = [...moves[move].from];
  return new Refusal("wrong_state", `This ${entity} is ${current}; ${move} needs it to be ${allowed.join(" or ")}.`, {
    details: [{ path: "status", message: `is ${current}`, allowed }],
  });
}
