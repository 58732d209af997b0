import type { Body, Contract, Operation, Params, Query, Resource } from "@roster/contract";
import type { Change } from "../change.ts";
import type { Scope } from "../scope.ts";
import type { ByteSource } from "./byte-range.ts";
import type { Paged } from "./cursor.ts";

/** What an operation is called with, parsed and checked. */
export interface Input<O extends Operation> {
  readonly params: Params<O>;
  readonly query: Query<O>;
  readonly body: Body<O>;
  /** Number of the `If-Match` header; null when the caller sent none. */
  readonly ifMatch: number | null;
  /** Aborts when nobody waits for the answer any more, or when the server stops: who waits answers then. */
  readonly gone: AbortSignal;
  /** The caller takes an event stream; what the page holds does not matter then. */
  readonly follows: boolean;
  /** Refuses what the caller may no more: for answers that last, on news that could have changed it. */
  readonly requireAccess: () => Promise<void>;
  readonly connection: Connection;
}

/** What a request tells of where it comes from, for those who sign in and out. */
export interface Connection {
  /** The client's address; of what a proxy says, only a trusted one is believed. */
  readonly address: string;
  readonly userAgent: string;
  /** The cookies, as they were sent. */
  readonly cookie: string;
}

/** A resource with the number of its ETag. */
export interface Versioned<T> {
  readonly version: number;
  readonly body: T;
}

/** A resource that was made now (201) or was there already (200). */
export interface Repeatable<T> {
  readonly created: boolean;
  readonly body: T;
}

/** A page, and everything that comes after the query's `after`, as it comes, until `signal` aborts or no more will. */
export interface Following<T> extends Paged<T> {
  follow(signal: AbortSignal): AsyncIterable<T | Reached>;
}

/** Says how far one who follows has come where no item does: who is cut off then goes on from there. */
export class Reached {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

/** Items in batches, as they are read: each is asked for when the one before has been taken. */
export type Batches<T> = AsyncIterable<readonly T[]>;

/** An answer with what it says to the browser beside it. */
export interface WithCookies<T> {
  readonly cookies: readonly string[];
  readonly body: T;
}

/** What the handler of an operation answers. */
export type Answered<O extends Operation> = O extends { setsCookies: true } ? WithCookies<Resource<O>> : Plainly<O>;

type Plainly<O extends Operation> = O["answer"] extends { kind: "page"; follows: string }
  ? Following<Resource<O>>
  : O["answer"] extends { kind: "page" }
    ? Paged<Resource<O>>
    : O["answer"] extends { kind: "bytes" }
      ? ByteSource
      : O["answer"] extends { kind: "lines" }
        ? Batches<Resource<O>>
        : O["answer"] extends { versioned: true }
          ? Versioned<Resource<O>>
          : O["answer"] extends { repeatable: true }
            ? Repeatable<Resource<O>>
            : Resource<O>;

/** What an operation that prepares itself does once its transaction is open: on each attempt, so it is all it repeats. */
export type Prepared<O extends Operation> = (change: Change) => Promise<Answered<O>>;

/**
 * Reads and machinery get a scope; everything else gets a change, in whose transaction it runs. An operation that
 * `prepares` gets the scope, and answers with what is to be done in the transaction.
 */
export type Handler<O extends Operation> = O extends { method: "GET" } | { machinery: true }
  ? (scope: Scope, input: Input<O>) => Promise<Answered<O>>
  : O extends { prepares: true }
    ? (scope: Scope, input: Input<O>) => Promise<Prepared<O>>
    : (change: Change, input: Input<O>) => Promise<Answered<O>>;

/** Handlers of one resource: one for each operation the contract declares, or it does not compile. */
export type HandlersOf<T> = { readonly [V in keyof T]: T[V] extends Operation ? Handler<T[V]> : never };

/** Handlers of the whole contract. */
export type Handlers = { readonly [R in keyof Contract]: HandlersOf<Contract[R]> };
