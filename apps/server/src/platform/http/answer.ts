import type { Operation } from "@roster/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Paged } from "./cursor.ts";
import type { Repeatable, Versioned } from "./handler.ts";
import type { StoredAnswer } from "./table.ts";

interface Context {
  readonly input: { readonly params: Readonly<Record<string, string>> };
  readonly request: FastifyRequest;
  readonly check: boolean;
}

/** What a handler answered as status, headers and body. */
export function answerOf(operation: Operation, answered: unknown, context: Context): StoredAnswer {
  const { answer } = operation;
  if (answer.kind === "nothing") return { status: 204, headers: {}, body: null };
  if (answer.kind === "text") return { status: 200, headers: {}, body: answered };
  if (answer.kind === "page") {
    const page = answered as Paged<unknown>;
    if (context.check) for (const item of page.items) answer.schema.parse(item);
    return {
      status: 200,
      headers: page.next === null ? {} : { link: linkTo(context.request, page.next) },
      body: page.items,
    };
  }
  const { version, created, body } = unwrapped(answer, answered);
  if (context.check) answer.schema.parse(body);
  const headers = version === null ? {} : { etag: `"${version}"` };
  if (answer.kind === "record") return { status: 200, headers, body };
  const location = locationOf(answer.at, context.input.params, body);
  return { status: created ? 201 : 200, headers: { ...headers, location }, body };
}

type Single = Extract<Operation["answer"], { kind: "record" | "created" }>;

/** The resource itself, out of what tells its version or whether it is new. */
function unwrapped(answer: Single, answered: unknown): { version: number | null; created: boolean; body: unknown } {
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
  reply.code(answer.status).headers(answer.headers);
  if (operation.answer.kind === "nothing") return reply.send();
  if (operation.answer.kind === "text") return reply.type("text/plain; charset=utf-8").send(answer.body);
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(answer.body));
}
