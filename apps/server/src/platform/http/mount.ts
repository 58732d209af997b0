import {
  allOperations,
  type NamedOperation,
  type Operation,
  permissions,
  refusalStatus,
  servicePrefix,
  takesCompanyHint,
  takesKey,
} from "@roster/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Change, type ChangeHost, change } from "../change.ts";
import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import type { Locator } from "../locate.ts";
import type { HttpMeter } from "../metrics/index.ts";
import { Missing, Refusal, refusalOfMissing } from "../refusal.ts";
import { checked } from "../schema-check.ts";
import { causeOf, type Scope } from "../scope.ts";
import type { Keys } from "../secrets/index.ts";
import { answerOf, followsNow, send } from "./answer.ts";
import { type Authenticate, askOf, connectionOf } from "./ask.ts";
import { type Ask, authorise, type Gate, kindOf, requireHere, subjectOf, type Target } from "./authorise.ts";
import { bodyOf, refuseText } from "./body.ts";
import { UnsatisfiableRange } from "./byte-range.ts";
import { refusalBodyOf, refusalOf, refusalText } from "./faults.ts";
import { refuseForeignFilter } from "./foreign-filter.ts";
import type { Connection, Handlers, Versioned } from "./handler.ts";
import { claimOf, findAnswer, storeAnswer, takeKey } from "./idempotency.ts";
import { readerOf, withPresent } from "./present-state.ts";
import { askCounted, type RateLimiter } from "./rate-limit.ts";
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
  readonly authenticate: Authenticate;
  /** The role of a person in a company, or null. */
  readonly roleOf: Gate["roleOf"];
  /** Hears of every request; not set: nobody does. */
  readonly meter?: HttpMeter;
  /** Refuses who asks too often; not set: nobody. */
  readonly limiter?: RateLimiter;
  /** Runs first on every request. */
  readonly guard: (request: FastifyRequest) => void;
  /** Checks every answer against the contract's schema; for tests. */
  readonly checkAnswers?: boolean;
  /** Silence after which an event stream beats, and its reader's access is looked at again; for tests. */
  readonly beatMs?: number | undefined;
}

interface Checked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly ifMatch: number | null;
  readonly gone: AbortSignal;
  readonly follows: boolean;
  readonly requireAccess: () => Promise<void>;
  readonly connection: Connection;
}

type LooseHandler = (scope: Scope | Change, input: Checked) => Promise<unknown>;

/** Mounts every operation of the contract: the one place where HTTP and the contract meet. */
export function mount(app: FastifyInstance, host: HttpHost, handlers: Handlers): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  const names = new Map(allOperations().map(({ name, operation: { method, path } }) => [`${method} ${path}`, name]));
  app.addHook("onRequest", async (request, reply) => {
    host.meter?.began(names.get(`${request.method} ${request.routeOptions.url}`) ?? noOperation, reply.raw);
    setHeaders(reply, request, host.version);
    host.guard(request);
  });
  app.setErrorHandler((error, request, reply) => refuse(reply, request, error, host.meter));
  app.setNotFoundHandler((request, reply) => {
    const words = `There is no route ${request.method} ${request.url.split("?")[0]}.`;
    return refuse(reply, request, new Refusal("not_found", words), host.meter);
  });
  const underWay = createUnderWay();
  app.addHook("preClose", () => underWay.finish());
  for (const named of allOperations()) {
    const handler = handlerOf(handlers, named.name);
    const reading = readerOf(named.operation);
    const reader = reading === undefined ? null : handlerOf(handlers, reading.name);
    app.route({
      method: named.operation.method,
      url: named.operation.path,
      ...(named.operation.bodyLimitBytes !== undefined && { bodyLimit: named.operation.bodyLimitBytes }),
      handler: (request, reply) => serve(host, { named, handler, reader, underWay }, request, reply),
    });
  }
}

/** Of a request that leads to no operation, as the metrics name it. */
const noOperation = "none";

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
  /** Reads what the operation changes, where that has an ETag. */
  readonly reader: LooseHandler | null;
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
  const arrival = { operation, request, reply };
  const ask = await askCounted(host.limiter, arrival, () => askOf(host.authenticate, operation, request));
  const { caller } = ask;
  const gate = { db: host.database.reader, locator: host.locator, roleOf: host.roleOf };
  const target = await authorise(gate, ask);
  try {
    const input = {
      ...checkInput(ask, target, request),
      gone,
      follows: followsNow(operation, request),
      requireAccess: async () => void (await authorise(gate, await askOf(host.authenticate, operation, request))),
      connection: connectionOf(request),
    };
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

const isForRunners = ({ may }: Operation): boolean => "runner" in permissions[may];

/** Parses query, body and `If-Match`. */
function checkInput(
  { operation, query: given }: Ask,
  { params }: Target,
  request: FastifyRequest,
): Pick<Checked, "params" | "query" | "body" | "ifMatch"> {
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
  const context = { input, request, check: host.checkAnswers ?? false, beatMs: host.beatMs };
  if (!takesKey(operation)) return answerOf(operation, await route.handler(scope, input), context);
  const claim = claimOf(request.headers["idempotency-key"], {
    caller: scope.caller,
    operation: name,
    path: request.url,
    body: input.body ?? null,
    reveals: operation.revealsOnce,
  });
  // What was answered before is not prepared again: what it was prepared from may be gone.
  const kept = operation.prepares && claim && (await findAnswer(host.keys, scope, claim));
  if (kept) return replayed(kept);
  const prepared = operation.prepares ? ((await route.handler(scope, input)) as Work) : null;
  const done = change(host, scope, async (opened) => {
    const first = claim && (await takeKey(host.keys, opened, claim));
    if (first) return replayed(first);
    const answered = prepared === null ? route.handler(opened, input) : prepared(opened);
    const answer = answerOf(operation, await answered, context);
    if (claim) await storeAnswer(host.keys, opened, claim, answer);
    return answer;
  });
  const { reader } = route;
  if (reader === null) return done;
  return done.catch(async (error: unknown) => {
    const read = { ...input, query: {}, body: undefined, ifMatch: null };
    throw await withPresent(error, () => reader(scope, read) as Promise<Versioned<unknown>>);
  });
}

type Work = (change: Change) => Promise<unknown>;

const replayed = (answer: StoredAnswer): StoredAnswer => ({
  ...answer,
  headers: { ...answer.headers, "idempotent-replayed": "true" },
});

const streamHeaders = ["content-type", "content-length", "content-range", "accept-ranges"] as const;

function refuse(reply: FastifyReply, request: FastifyRequest, error: unknown, meter?: HttpMeter): FastifyReply {
  const refusal = refusalOf(error);
  meter?.refused(refusal.code);
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
