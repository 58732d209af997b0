import { type Operation, permissions, takesKey } from "@roster/contract";
import type { FastifyRequest } from "fastify";
import { isId } from "../ids.ts";
import { Refusal } from "../refusal.ts";
import type { Caller } from "../scope.ts";
import { followsNow } from "./answer.ts";
import type { Ask } from "./authorise.ts";
import { isStorable } from "./body.ts";
import type { Connection } from "./handler.ts";

/** What is asked for, as far as a credential is looked up with it. */
export interface Purpose {
  /** Something is to be changed: what led to that has to be known. */
  readonly changes: boolean;
  /** The run that it is about; null where it names none. */
  readonly runId: string | null;
}

/** Says who sends a request; refuses a credential that is not good. */
export type Authenticate = (request: FastifyRequest, purpose: Purpose) => Promise<Caller>;

/** Who asks for what. The credential counts for what it is worth now: an answer that lasts is asked for again and again. */
export async function askOf(authenticate: Authenticate, operation: Operation, request: FastifyRequest): Promise<Ask> {
  const isPublic = "public" in permissions[operation.may];
  const { runId = "" } = request.params as Record<string, string>;
  const purpose = { changes: takesKey(operation), runId: isId(runId) ? runId : null };
  const caller: Caller = isPublic ? { kind: "nobody" } : await authenticate(request, purpose);
  return { operation, caller, params: textParams(request), query: queryOf(operation, request) };
}

/** Where a request comes from. */
export const connectionOf = ({ ip, headers }: FastifyRequest): Connection => ({
  address: ip,
  userAgent: headers["user-agent"] ?? "",
  cookie: headers.cookie ?? "",
});

/** A text that cannot be stored is the name of nothing. */
function textParams(request: FastifyRequest): Readonly<Record<string, string>> {
  const params = request.params as Record<string, string>;
  for (const value of Object.values(params)) {
    if (!isStorable(value)) throw new Refusal("not_found", "There is nothing of this name.");
  }
  return params;
}

/** The query as it was sent; who goes on with an event stream says in `Last-Event-ID` from where. */
function queryOf(operation: Operation, request: FastifyRequest): Record<string, unknown> {
  const query = request.query as Record<string, unknown>;
  const last = request.headers["last-event-id"];
  return last && followsNow(operation, request) ? { ...query, after: last } : query;
}
