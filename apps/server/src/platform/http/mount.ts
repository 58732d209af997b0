import {
  allOperations,
  type NamedOperation,
  type Operation,
  permissions,
  refusalStatus,
  servicePrefix,
  takesCompanyHint,
} from "@roster/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Change, type ChangeHost, change } from "../change.ts";
import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import type { Locator } from "../locate.ts";
import { Missing, Refusal, refusalOfMissing } from "../refusal.ts";
import { checked } from "../schema-check.ts";
import { type Caller, causeOf, type Scope } from "../scope.ts";
import type { Keys } from "../secrets/index.ts";
import { answerOf, followsNow, send } from "./answer.ts";
import { type Ask, authorise, type Gate, kindOf, requireHere, subjectOf, type Target } from "./authorise.ts";
import { bodyOf, isStorable, refuseText } from "./body.ts";
import { UnsatisfiableRange } from "./byte-range.ts";
import { refusalBodyOf, refusalOf, refusalText } from "./faults.ts";
import { refuseForeignFilter } from "./foreign-filter.ts";
import type { Connection, Handlers } from "./handler.ts";
import { claimOf, findAnswer, storeAnswer, takeKey } from "./idempotency.ts";
import { refuseSecrets } from "./secret-guard.ts";
import type { StoredAnswer } from "./table.ts";
import { createUnderWay, type UnderWay } from "./under-way.ts";

/** What serving the contract over HTTP needs. */
export interface HttpHost extends ChangeHost {
  readonly clock: Clock;
  readonly keys: Keys;
  readonly locator: Locator;
  readonly version: string;
  /** Who sends this request; refuses a credential that is not good. */
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** The role of a person in a company, or null. */
  readonly roleOf: Gate["roleOf"];
  /** Runs first on every request. */
  readonly guard: (request: FastifyRequest) => void;
  /** Checks every answer against the contract's schema; for tests. */
  readonly checkAnswers?: boolean;
}

interface Checked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly ifMatch: number | null;
  readonly gone: AbortSignal;
  readonly connection: Connection;
}

type LooseHandler = (scope: Scope | Change, input: Checked) => Promise<unknown>;

/** Mounts every operation of the contract: the one place where HTTP and the contract meet. */
export function mount(app: FastifyInstance, host: HttpHost, handlers: Handlers): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.addHook("onRequest", async (request, reply) => {
    setHeaders(reply, request, host.version);
    host.guard(request);
  });
  app.setErrorHandler((error, request, reply) => refuse(reply, request, error));
  app.setNotFoundHandler((request, reply) =>
    refuse(
      reply,
      request,
      new Refusal("not_found", `There is no route ${request.method} ${request.url.split("?")[0]}.`),
    ),
  );
  const underWay = createUnderWay();
  app.addHook("preClose", () => underWay.finish());
  for (const named of allOperations()) {
    const handler = handlerOf(handlers, named.name);
    app.route({
      method: named.operation.method,
      url: named.operation.path,
      ...(named.operation.bodyLimitBytes !== undefined && { bodyLimit: named.operation.bodyLimitBytes }),
      handler: (request, reply) => serve(host, { named, handler, underWay }, request, reply),
    });
  }
}

function setHeaders(reply: FastifyReply, request: FastifyRequest, version: string): void {
  reply.headers({ "x-request-id": request.id, [versionHeader]: version, "x-content-type-options": "nosniff" });
}

/** Answers what the router refuses before any route is chosen: an address that is no text, or is too long. */
export const refuseAddress =
  (version: string) =>
  (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    setHeaders(reply, request, version);
    refuse(reply, request, new Refusal("not_found", "There is nothing at this address."));
  };

const versionHeader = `${servicePrefix.toLowerCase()}-version`;

function handlerOf(handlers: Handlers, name: string): LooseHandler {
  const [resource = "", verb = ""] = name.split(".");
  return (handlers as unknown as Record<string, Record<string, LooseHandler>>)[resource]?.[verb] as LooseHandler;
}

interface Route {
  readonly named: NamedOperation;
  readonly handler: LooseHandler;
  readonly underWay: UnderWay;
}

async function serve(
  host: HttpHost,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation } = route.named;
  const gone = route.underWay.enter(reply.raw);
  const isPublic = "public" in permissions[operation.may];
  const caller: Caller = isPublic ? { kind: "nobody" } : await host.authenticate(request);
  const query = queryOf(operation, request);
  const ask: Ask = { operation, caller, params: textParams(request), query };
  const gate = { db: host.database.reader, locator: host.locator, roleOf: host.roleOf };
  const target = await authorise(gate, ask);
  try {
    const input = { ...checkInput(ask, target, request), gone, connection: connectionOf(request) };
    const scope: Scope = {
      companyId: target.companyId,
      caller,
      cause: causeOf(caller),
      db: host.database.reader,
      now: host.clock(),
      requestId: request.id,
    };
    const answer = await perform(host, { route, scope, input, request });
    await refuseForeignFilter(gate, { operation, query: input.query, target }, answer);
    return send(reply, operation, answer);
  } catch (error) {
    throw await locatedFault(gate, ask, target, error);
  }
}

const connectionOf = ({ ip, headers }: FastifyRequest): Connection => ({
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

const isForRunners = ({ may }: Operation): boolean => "runner" in permissions[may];

/** The query as it was sent; who goes on with an event stream says in `Last-Event-ID` from where. */
function queryOf(operation: Operation, request: FastifyRequest): Record<string, unknown> {
  const query = request.query as Record<string, unknown>;
  const last = request.headers["last-event-id"];
  return last && followsNow(operation, request) ? { ...query, after: last } : query;
}

/** Parses query, body and `If-Match`. */
function checkInput(
  { operation, query: given }: Ask,
  { params }: Target,
  request: FastifyRequest,
): Omit<Checked, "gone" | "connection"> {
  for (const [name, value] of Object.entries(given)) if (typeof value === "string") refuseText(value, name);
  const { companyId: _, ...others } = given;
  const isHint = takesCompanyHint(operation) && operation.query?.shape["companyId"] === undefined;
  const query = checked(operation.query ?? noQuery, isHint ? others : given);
  const body = operation.body === undefined ? undefined : checked(operation.body, bodyOf(operation, request));
  // What a runner tells was cleaned there of what must not be told; refused here, it would be lost.
  if (operation.body !== undefined && !isForRunners(operation)) refuseSecrets(operation.body, body);
  return { params, query, body, ifMatch: ifMatchOf(request.headers["if-match"]) };
}

/**
 * What a fault becomes once it is known where things are. Of an agent's request the entity was not looked up before; that
 * it is elsewhere comes before everything that is wrong with the request.
 */
async function locatedFault(gate: Gate, ask: Ask, target: Target, error: unknown): Promise<unknown> {
  const isMissing = error instanceof Missing;
  if (!isMissing && !(error instanceof Refusal)) return error;
  const subject = subjectOf(ask.params);
  if (ask.caller.kind === "agent" && subject !== undefined) {
    await requireHere(gate, target.companyId, kindOf(subject), target.params[subject] ?? "");
  }
  if (!isMissing) return error;
  const found = await gate.locator.companyOf(gate.db, error.kind, error.id);
  return refusalOfMissing(error, found !== null && found !== target.companyId);
}

function ifMatchOf(header: string | undefined): number | null {
  if (header === undefined || header === "*") return null;
  const number = /^(?:W\/)?"(\d{1,9})"$/.exec(header.trim())?.[1];
  if (number === undefined) {
    throw new Refusal("invalid_request", "If-Match must be an ETag as this service gives it out, or *.", {
      details: [{ path: "if-match", message: 'such as "3"' }],
    });
  }
  return Number(number);
}

const noQuery = z.strictObject({});

interface Performance {
  readonly route: Route;
  readonly scope: Scope;
  readonly input: Checked;
  readonly request: FastifyRequest;
}

async function perform(host: HttpHost, { route, scope, input, request }: Performance): Promise<StoredAnswer> {
  const { operation, name } = route.named;
  const check = host.checkAnswers ?? false;
  if (operation.method === "GET" || operation.machinery)
    return answerOf(operation, await route.handler(scope, input), { input, request, check });
  const claim =
    operation.method === "POST"
      ? claimOf(host.keys, request.headers["idempotency-key"], {
          caller: scope.caller,
          operation: name,
          path: request.url,
          body: input.body ?? null,
          reveals: operation.revealsOnce,
        })
      : null;
  // What was answered before is not prepared again: what it was prepared from may be gone.
  const kept = operation.prepares && claim && (await findAnswer(host.keys, scope, claim));
  if (kept) return replayed(kept);
  const prepared = operation.prepares ? ((await route.handler(scope, input)) as Work) : null;
  return change(host, scope, async (opened) => {
    const first = claim && (await takeKey(host.keys, opened, claim));
    if (first) return replayed(first);
    const done = prepared === null ? route.handler(opened, input) : prepared(opened);
    const answer = answerOf(operation, await done, { input, request, check });
    if (claim) await storeAnswer(host.keys, opened, claim, answer);
    return answer;
  });
}

type Work = (change: Change) => Promise<unknown>;

const replayed = (answer: StoredAnswer): StoredAnswer => ({
  ...answer,
  headers: { ...answer.headers, "idempotent-replayed": "true" },
});

const streamHeaders = ["content-type", "content-length", "content-range", "accept-ranges"] as const;

function refuse(reply: FastifyReply, request: FastifyRequest, error: unknown): FastifyReply {
  const refusal = refusalOf(error);
  // A stream that failed before its first byte has left what it was announced with.
  for (const name of streamHeaders) reply.removeHeader(name);
  if (refusalStatus[refusal.code] === 500) request.log.error({ err: error, requestId: request.id }, "internal error");
  if (refusal.retryAfterSec !== undefined) reply.header("retry-after", String(refusal.retryAfterSec));
  if (refusal instanceof UnsatisfiableRange) reply.header("content-range", `bytes */${refusal.total}`);
  const body = refusalBodyOf(refusal, request.id);
  reply.code(refusal.status);
  // Whoever reads the plain-text documents gets plain text, also when refused.
  if (request.url.startsWith("/llms")) return reply.type("text/plain; charset=utf-8").send(refusalText(body));
  return reply.send(body);
}

/** Request ids: the caller's where it is usable, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === "string" && /^[\w.-]{1,64}$/.test(header) ? header : newId();
}
