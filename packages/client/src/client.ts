import {
  type BodyInput,
  type Contract,
  contract,
  type Operation,
  type Params,
  type QueryInput,
  type RefusalBody,
  type Resource,
} from "@roster/contract";
import { Refused } from "./refused.ts";
import { addressOf, type CallParts, requestOf } from "./request.ts";

/** Where and as whom to call. */
export interface ClientOptions {
  /** Address of the service, without a path: `http://localhost:3100`. */
  readonly baseUrl: string;
  /** An agent's credential; without one the call is the board's (local trusted mode). */
  readonly token?: string | undefined;
}

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
  };

type Answered<O extends Operation> = O["answer"] extends { kind: "page" } ? Page<Resource<O>> : Resource<O>;
type Arguments<O extends Operation> =
  Record<never, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>];

/** The typed interface: `client.agents.create({ params, body })`. Throws {@link Refused}. */
export type Client = {
  readonly [R in keyof Contract]: {
    readonly [V in keyof Contract[R]]: Contract[R][V] extends Operation
      ? (...input: Arguments<Contract[R][V]>) => Promise<Answered<Contract[R][V]>>
      : never;
  };
};

/** A client of the whole contract. Guarantees nothing the service does not; it adds no retries of its own. */
export function createClient(options: ClientOptions): Client {
  const resources = Object.entries(contract).map(([resource, operations]) => [
    resource,
    Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([verb, operation]) => [
        verb,
        (input: CallParts = {}) => call(options, operation, input),
      ]),
    ),
  ]);
  return Object.fromEntries(resources) as Client;
}

async function call(options: ClientOptions, operation: Operation, input: CallParts): Promise<unknown> {
  const response = await fetch(
    options.baseUrl + addressOf(operation, input),
    requestOf(operation, input, options.token),
  );
  if (!response.ok) throw await refusalOf(response);
  if (operation.answer.kind === "nothing") return undefined;
  if (operation.answer.kind === "text") return response.text();
  const answered: unknown = await response.json();
  return operation.answer.kind === "page" ? { items: answered, next: nextCursor(response) } : answered;
}

async function refusalOf(response: Response): Promise<Refused> {
  const text = await response.text();
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new Refused(response.status, parseRefusal(text, response), Number.isNaN(retryAfter) ? undefined : retryAfter);
}

/** What answers may be a proxy in front of the service; its refusals still become one shape. */
function parseRefusal(text: string, response: Response): RefusalBody {
  try {
    const body = JSON.parse(text) as Partial<RefusalBody>;
    if (typeof body.code === "string") return body as RefusalBody;
  } catch {
    // not JSON: told below
  }
  const requestId = response.headers.get("x-request-id") ?? "";
  return { error: `HTTP ${response.status}: ${text.slice(0, 200)}`, code: "internal", details: [], requestId };
}

function nextCursor(response: Response): string | null {
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "");
  return next?.[1] === undefined ? null : new URL(next[1], "http://relative").searchParams.get("cursor");
}
