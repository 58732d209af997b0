import { type CallerRule, localBoardUserId, type Operation, permissions } from "@roster/contract";
import type { TestServer } from "../test-server.ts";
import type { Wire } from "./wire.ts";

/** What the whole sweep stands on. */
export interface World {
  readonly server: TestServer;
  readonly wire: Wire;
  /** Who may everything, and makes what calls are about. */
  readonly board: Actor;
  /** A company in which most calls happen. */
  readonly home: string;
  /** A company that has nothing to do with it. */
  readonly elsewhere: string;
  /** A number that was not given out before. */
  next(): number;
  /** Makes an entity and answers its id. `kind` is the word before `Id` in paths, or the kind of a reference. */
  build(kind: string, place: Place): Promise<string>;
}

/** Somebody who calls. */
export interface Actor {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How entries of the log name it. */
  readonly logged: { readonly kind: "user" | "agent" | "system"; readonly id: string | null; readonly runId?: string };
  /** The person, where it is one who has signed in. */
  readonly userId?: string;
  /** The agent, where it is one, and its company. */
  readonly agent?: { readonly id: string; readonly companyId: string };
  /** The run it is in, where it calls from within one about that one. */
  readonly run?: { readonly id: string };
  /** The runner, where it is one: it calls about runs that it holds. */
  readonly runner?: { readonly id: string };
}

/** Where a call happens: the company, and path parameters. */
export interface Place {
  readonly companyId: string;
  readonly params: Readonly<Record<string, string>>;
}

/** A request without a credential. */
export const localBoard: Actor = {
  name: "the local board",
  headers: {},
  logged: { kind: "user", id: localBoardUserId },
};

/** Names of an operation's path parameters, in order. */
export const paramsOf = ({ path }: Operation): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);

/** Names of the path parameters that are ids of entities. */
export const idsOf = (operation: Operation): string[] => paramsOf(operation).filter((name) => name.endsWith("Id"));

/** Who may call this operation. */
export const ruleOf = (operation: Operation): CallerRule => permissions[operation.may];
