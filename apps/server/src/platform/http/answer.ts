import type { Operation } from "@roster/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ByteSource, bytesAnswer } from "./byte-range.ts";
import type { Paged } from "./cursor.ts";
import { eventsAnswer, wantsEvents } from "./event-stream.ts";
import {
  type Batches,
  type Following,
  type Input,
  Reached,
  type Repeatable,
  type Versioned,
  type WithCookies,
} from "./handler.ts";
import { linesAnswer } from "./lines.ts";
import type { StoredAnswer } from "./table.ts";

interface Context {
  readonly input: Pick<Input<Operation>, "gone" | "requireAccess"> & {
    readonly params: Readonly<Record<string, string>>;
  };
  readonly request: FastifyRequest;
  readonly check: boolean;
  /** See {@link EventSource}; for tests. */
  readonly beatMs?: number | undefined;
}

/** What a handler answered as status, headers and body; the body of bytes, lines and events is a stream. */
export function answerOf(operation: Operation, answered: unknown, context: Context): StoredAnswer {
  if (!operation.setsCookies) return plainAnswer(operation, answered, context);
  const { cookies, body } = answered as WithCookies<unknown>;
  const answer = plainAnswer(operation, body, context);
  // Who is signed in is nobody else's business: no cache keeps it.
  const headers = { "cache-control": "no-store", ...(cookies.length > 0 && { "set-cookie": cookies }) };
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function plainAnswer(operation: Operation, answered: unknown, context: Context): StoredAnswer {
  const { answer } = operation;
  if (answer.kind === "nothing") return { status: 204, headers: {}, body: null };
  if (answer.kind === "text") {
    return {
      status: 200,
      headers: answer.type ? { "content-type": `${answer.type}; charset=utf-8` } : {},
      body: answered,
    };
  }
  if (answer.kind === "bytes") return bytesAnswer(answered as ByteSource, context.request);
  if (answer.kind === "lines") return linesAnswer(answered as Batches<unknown>, context.check ? answer.schema : null);
  if (answer.kind === "page") {
    return followsNow(operation, context.request)
      ? followedBy(answer, answered as Following<unknown>, context)
      : pageAnswer(answer, answered as Paged<unknown>, context);
  }
  const { version, created, body } = unwrapped(answer, answered);
  if (context.check) answer.schema.parse(body);
  const headers = version === null ? {} : { etag: `"${version}"` };
  if (answer.kind === "accepted") return { status: 202, headers, body };
  if (answer.kind === "record") return { status: 200, headers, body };
  const location = locationOf(answer.at, context.input.params, body);
  return { status: created ? 201 : 200, headers: { ...headers, location }, body };
}

/** True where a request for a page is answered by an event stream. */
export const followsNow = ({ answer }: Operation, request: FastifyRequest): boolean =>
  answer.kind === "page" && answer.follows !== undefined && wantsEvents(request);

type Page = Extract<Operation["answer"], { kind: "page" }>;

function pageAnswer({ schema }: Page, page: Paged<unknown>, { check, request }: Context): StoredAnswer {
  if (check) for (const item of page.items) schema.parse(item);
  const headers = page.next === null ? {} : { link: linkTo(request, page.next) };
  return { status: 200, headers, body: page.items };
}

function followedBy(
  page: Page,
  following: Following<unknown>,
  { check, request, beatMs, input: { gone, requireAccess } }: Context,
): StoredAnswer {
  const { schema, follows: numbered = "" } = page;
  return eventsAnswer({
    follow: (signal) => (check ? checked(schema, following.follow(signal)) : following.follow(signal)),
    numbered,
    gone,
    requireAccess,
    ...(beatMs !== undefined && { beatMs }),
    failed: (error) => request.log.error({ err: error, requestId: request.id }, "an event stream broke off"),
  });
}

async function* checked(schema: Page["schema"], items: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const item of items) {
    if (!(item instanceof Reached)) schema.parse(item);
    yield item;
  }
}

type Single = Extract<Operation["answer"], { kind: "record" | "created" | "accepted" }>;

/** The resource itself, out of what tells its version or whether it is new. */
function unwrapped(answer: Single, answered: unknown): { version: number | null; created: boolean; body: unknown } {
  if (answer.kind === "accepted") return { version: null, created: true, body: answered };
  if (answer.versioned) return { created: true, ...(answered as Versioned<unknown>) };
  if (answer.kind === "created" && answer.repeatable) return { version: null, ...(answered as Repeatable<unknown>) };
  return { version: null, created: true, body: answered };
}

function linkTo(request: FastifyRequest, cursor: string): string {
  const [path = "", search = ""] = request.url.split("?");
  const query = new URLSearchParams(search);
  query.set("cursor", cursor);
  return `<${path}?${query.toString()}>; rel="next"`;
}

/** `:name` is a path parameter or a member of the resource, `:agent.id` a member of a member. */
function locationOf(at: string, params: Readonly<Record<string, string>>, body: unknown): string {
  return at.replace(/:([\w.]+)/g, (_, path: string) => {
    const value = path.split(".").reduce<unknown>((inside, name) => (inside as Members | undefined)?.[name], body);
    return String(value ?? params[path]);
  });
}

type Members = Readonly<Record<string, unknown>>;

/** Sends an answer. */
export function send(reply: FastifyReply, operation: Operation, answer: StoredAnswer): FastifyReply {
  reply.code(answer.status).headers(answer.headers as Record<string, string | string[]>);
  if (operation.answer.kind === "nothing") return reply.send();
  if (reply.hasHeader("content-type")) return reply.send(answer.body);
  if (operation.answer.kind === "lines") return reply.type("application/x-ndjson; charset=utf-8").send(answer.body);
  if (operation.answer.kind === "text" || operation.answer.kind === "bytes") {
    return reply.type("text/plain; charset=utf-8").send(answer.body);
  }
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(answer.body));
}
