import type { NamedOperation } from "@roster/contract";
import type { Expected } from "./answer-check.ts";
import type { Input } from "./input.ts";
import type { Actor, Place, World } from "./world.ts";

/** A call that is wrong in one way, and what it must be refused with. */
export interface BadInput {
  readonly label: string;
  readonly input: Input;
  readonly expected: Expected;
  /**
   * When it is found out, where that is not when query and body are checked: before the caller is known (`wire`), when
   * the entity is looked for (`path`), or by the command (`state`).
   */
  readonly found?: "wire" | "path" | "state";
}

/** What bad inputs of an operation are made from: a caller who may call it, a place that is ready, an input that is good. */
export interface Ground {
  readonly world: World;
  readonly named: NamedOperation;
  readonly actor: Actor;
  readonly place: Place;
  readonly good: Input;
}
