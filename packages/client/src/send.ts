import type { Operation } from "@roster/contract";
import type { Bounds } from "./bounds.ts";
import { Refused, refusalOf } from "./refused.ts";
import { addressOf, type CallParts, type ClientOptions, requestOf } from "./request.ts";
import { Unanswered } from "./unanswered.ts";

/** What is asked, where and as whom. */
export interface Asked {
  readonly options: ClientOptions;
  readonly operation: Operation;
  readonly input: CallParts;
}

/**
 * Sends a request once and reads its answer by `read`, within the bounds; `special` headers come before all others.
 * Throws `Refused`, `Unanswered`, or the reason of the caller's signal.
 */
export async function send<T>(
  { options, operation, input }: Asked,
  bounds: Bounds,
  read: (response: Response) => Promise<T>,
  special: Readonly<Record<string, string>> = {},
): Promise<T> {
  const url = options.baseUrl.replace(/\/+$/, "") + addressOf(operation, input);
  const { headers, ...init } = requestOf(operation, input, options);
  // Made before the try: an address or a header of no form is the caller's mistake, not the connection's.
  const request = new Request(url, { ...init, headers: { ...headers, ...special } });
  try {
    // Given to the request, the signal would be lost as soon as that is garbage, with the call still under way.
    const response = await fetch(request, { signal: bounds.signal });
    if (response.ok) return await read(response);
    throw await refusalOf(response);
  } catch (error) {
    if (error instanceof Refused) throw error;
    input.signal?.throwIfAborted();
    throw new Unanswered(operation.method, url, bounds.signal.aborted ? bounds.signal.reason : error);
  }
}
