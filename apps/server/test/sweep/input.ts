import type { NamedOperation, Operation } from "@roster/contract";
import type { Call } from "./wire.ts";
import type { Actor, Place } from "./world.ts";

/** What a call brings beside its place. */
export interface Input {
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Appended to the query as it stands; a parameter of the query that it names is not sent beside it. */
  readonly rawQuery?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it stands, instead of `body`. */
  readonly rawBody?: string | Buffer;
  readonly announcedBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Path parameters as they stand in the address, already encoded. */
  readonly rawParams?: Readonly<Record<string, string>>;
}

/** The request that calls an operation. */
export function callOf({ operation }: NamedOperation, actor: Actor, place: Place, input: Input = {}): Call {
  const body = input.rawBody ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
  const json = body === undefined && input.announcedBytes === undefined ? {} : { "content-type": "application/json" };
  const headers: Record<string, string> = { ...actor.headers, ...json, ...input.headers };
  // An empty header in an input says that the header is left out.
  for (const [name, value] of Object.entries(headers)) if (value === "") delete headers[name];
  return {
    method: operation.method,
    path: pathOf(operation, place, input),
    headers,
    ...(body !== undefined && { body }),
    ...(input.announcedBytes !== undefined && { announcedBytes: input.announcedBytes }),
  };
}

function pathOf({ path }: Operation, { params }: Place, { query = {}, rawQuery = "", rawParams = {} }: Input): string {
  const filled = path.replace(
    /:(\w+)/g,
    (_, name: string) => rawParams[name] ?? encodeURIComponent(params[name] ?? ""),
  );
  const raw = new URLSearchParams(rawQuery);
  const kept = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !raw.has(pair[0]),
  );
  const search = [new URLSearchParams(kept).toString(), rawQuery].filter((part) => part !== "").join("&");
  return search === "" ? filled : `${filled}?${search}`;
}

/** Two inputs as one; the second adds to the first and wins. */
export const merged = (first: Input, second: Input): Input => ({
  ...first,
  ...second,
  ...((first.query || second.query) && { query: { ...first.query, ...second.query } }),
  ...((first.headers || second.headers) && { headers: { ...first.headers, ...second.headers } }),
});
