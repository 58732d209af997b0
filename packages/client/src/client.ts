import {
  type BodyInput,
  type Contract,
  contract,
  type Operation,
  type Params,
  type QueryInput,
  type Resource,
} from "@roster/contract";
import { boundsOf } from "./bounds.ts";
import { follow } from "./follow.ts";
import { lines } from "./lines.ts";
import { itemsOf, nextCursor, type Page } from "./pages.ts";
import { type ByteRange, type CallParts, type ClientOptions, repeatable } from "./request.ts";
import { send } from "./send.ts";
import { tryAgain } from "./try-again.ts";
import { keepVersion } from "./version.ts";

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

type Call<O extends Operation> = O["answer"] extends { kind: "lines" } ? Reading<O> : Asking<O>;

/** A call whose answer is told item by item, as it is read. */
type Reading<O extends Operation> = (...input: Arguments<O>) => AsyncIterableIterator<Resource<O>>;

/**
 * A call. Of a list also `all`: every item, page after page as they are needed. Where a list can be followed also
 * `follow`: everything after `after`, as it comes, until no more will.
 */
type Asking<O extends Operation> = ((...input: Arguments<O>) => Promise<Answered<O>>) &
  (O["answer"] extends { kind: "page" }
    ? { all(...input: Arguments<O>): AsyncIterableIterator<Resource<O>> }
    : unknown) &
  (O["answer"] extends { follows: string }
    ? { follow(...input: Arguments<O>): AsyncIterableIterator<Resource<O>> }
    : unknown);

/** The typed interface: `client.agents.create({ params, body })`. Throws `Refused` or `Unanswered`. */
export type Client = {
  readonly [R in keyof Contract]: {
    readonly [V in keyof Contract[R]]: Contract[R][V] extends Operation ? Call<Contract[R][V]> : never;
  };
};

/**
 * A client of the whole contract. What can be repeated without a second effect is tried again when no answer came, or a
 * refusal that passes; see {@link ClientOptions}.
 */
export function createClient(options: ClientOptions): Client {
  const resources = Object.entries(contract).map(([resource, operations]) => [
    resource,
    Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([verb, operation]) => [
        verb,
        operation.answer.kind === "lines"
          ? (input: CallParts = {}) => lines({ options, operation, input })
          : Object.assign((input: CallParts = {}) => call(options, operation, input), {
              all: (input: CallParts = {}) => all(options, operation, input),
              follow: (input: CallParts = {}) => follow({ options, operation, input }),
            }),
      ]),
    ),
  ]);
  return Object.fromEntries(resources) as Client;
}

function call(options: ClientOptions, operation: Operation, parts: CallParts): Promise<unknown> {
  const { input, insisting } = repeatable(operation, parts, options);
  return tryAgain(insisting, async (withinMs) => {
    const bounds = boundsOf(input.signal);
    bounds.within(withinMs);
    return await send({ options, operation, input }, bounds, (response) => answerIn(response, operation)).finally(
      bounds.release,
    );
  });
}

async function answerIn(response: Response, { answer }: Operation): Promise<unknown> {
  if (answer.kind === "nothing") return undefined;
  if (answer.kind === "text") return response.text();
  if (answer.kind === "bytes") return new Uint8Array(await response.arrayBuffer());
  const answered: unknown = await response.json();
  if (answer.kind === "page") return { items: answered, next: nextCursor(response) };
  keepVersion(answered, response);
  return answered;
}

function all(options: ClientOptions, operation: Operation, input: CallParts): AsyncGenerator<unknown> {
  const { cursor, ...query } = input.query ?? {};
  return itemsOf(cursor as string | undefined, async (at) => {
    return (await call(options, operation, { ...input, query: { ...query, cursor: at } })) as Page<unknown>;
  });
}
