import {
  type BodyInput,
  type Contract,
  contract,
  type Operation,
  type Params,
  type QueryInput,
  type Resource,
} from "@roster/contract";
import { follow } from "./follow.ts";
import { refusalOf } from "./refused.ts";
import { addressOf, type ByteRange, type CallParts, type ClientOptions, requestOf } from "./request.ts";

/** One page of a list; `next` is the cursor of the following one, null on the last. */
export interface Page<T> {
  readonly items: T[];
  readonly next: string | null;
}

type Needs<Key extends string, T> = T extends undefined
  ? { readonly [K in Key]?: undefined }
  : Record<never, never> extends T
    ? { readonly [K in Key]?: T }
    : { readonly [K in Key]: T };

/** Everything an operation may be given; parts it needs are required. */
export type CallInput<O extends Operation> = Needs<"params", keyof Params<O> extends never ? undefined : Params<O>> &
  Needs<"query", QueryInput<O>> &
  Needs<"body", BodyInput<O>> & {
    /** Number of the ETag the change is based on; stale is refused with `stale_revision`. */
    readonly ifMatch?: number;
    /** Same key and body: the first answer again, one effect. */
    readonly idempotencyKey?: string;
    /** Gives the call up: it throws the signal's reason. */
    readonly signal?: AbortSignal | undefined;
  } & (O["answer"] extends { kind: "bytes" } ? { readonly range?: ByteRange } : unknown);

type Answered<O extends Operation> = O["answer"] extends { kind: "page" }
  ? Page<Resource<O>>
  : O["answer"] extends { kind: "bytes" }
    ? Uint8Array
    : Resource<O>;
type Arguments<O extends Operation> =
  Record<never, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>];

/** A call; where its pages can be followed, also everything after `after`, as it comes, until no more will. */
type Call<O extends Operation> = ((...input: Arguments<O>) => Promise<Answered<O>>) &
  (O["answer"] extends { follows: string }
    ? { follow(...input: Arguments<O>): AsyncIterableIterator<Resource<O>> }
    : unknown);

/** The typed interface: `client.agents.create({ params, body })`. Throws {@link Refused}. */
export type Client = {
  readonly [R in keyof Contract]: {
    readonly [V in keyof Contract[R]]: Contract[R][V] extends Operation ? Call<Contract[R][V]> : never;
  };
};

/**
 * A client of the whole contract. Guarantees nothing the service does not; it adds no retries of its own, except that
 * `follow` goes on after a connection was lost.
 */
export function createClient(options: ClientOptions): Client {
  const resources = Object.entries(contract).map(([resource, operations]) => [
    resource,
    Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([verb, operation]) => [
        verb,
        Object.assign((input: CallParts = {}) => call(options, operation, input), {
          follow: (input: CallParts = {}) => follow(options, operation, input),
        }),
      ]),
    ),
  ]);
  return Object.fromEntries(resources) as Client;
}

async function call(options: ClientOptions, operation: Operation, input: CallParts): Promise<unknown> {
  const response = await fetch(options.baseUrl + addressOf(operation, input), requestOf(operation, input, options));
  if (!response.ok) throw await refusalOf(response);
  if (operation.answer.kind === "nothing") return undefined;
  if (operation.answer.kind === "text") return response.text();
  if (operation.answer.kind === "bytes") return new Uint8Array(await response.arrayBuffer());
  const answered: unknown = await response.json();
  return operation.answer.kind === "page" ? { items: answered, next: nextCursor(response) } : answered;
}

function nextCursor(response: Response): string | null {
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "");
  return next?.[1] === undefined ? null : new URL(next[1], "http://relative").searchParams.get("cursor");
}
