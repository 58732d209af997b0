import { z } from "zod";
import type { Permission } from "./permissions.ts";
import type { RefusalCode } from "./refusals.ts";

/** HTTP methods the contract uses. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * What a success looks like. `record` 200 with one resource, `created` 201 with `Location`
 * (`at`, filled from the path and the resource; `repeatable`: 200 where it was there already), `page` 200 with a bare
 * array and `Link`, `nothing` 204, `text` 200 with `text/plain` or the `type` it names, `accepted` 202 with one resource,
 * `bytes` 200 or, with `Range`, 206 with the bytes as they are, `lines` 200 with resources as JSON, each on a line, as
 * many as there are. `versioned` answers carry an `ETag`. A page that `follows` is an event stream for who accepts one; it
 * names the member that numbers its items.
 */
export type Answer =
  | { readonly kind: "record"; readonly schema: z.ZodType; readonly versioned?: true }
  | {
      readonly kind: "created";
      readonly schema: z.ZodType;
      readonly at: `/${string}`;
      readonly versioned?: true;
      readonly repeatable?: true;
    }
  | {
      readonly kind: "page";
      readonly schema: z.ZodType;
      readonly defaultLimit?: number;
      readonly follows?: string;
    }
  | { readonly kind: "accepted"; readonly schema: z.ZodType }
  | { readonly kind: "bytes" }
  | { readonly kind: "lines"; readonly schema: z.ZodType }
  | { readonly kind: "nothing" }
  | { readonly kind: "text"; readonly type?: `text/${string}` };

/** One operation of the API, as data. Everything else (route, OpenAPI, client, tests) is an interpreter of it. */
export interface Operation {
  readonly method: Method;
  /** Fastify-style path; parameters whose name ends in `Id` name entities and are resolved to ids. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly may: Permission;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: Answer;
  /** Refusals beyond those every route can give (400, 401, 403, 404, 500, 503). */
  readonly refusals?: readonly RefusalCode[];
  /** Largest body in bytes; 1 MiB where absent. */
  readonly bodyLimitBytes?: number;
  /** Opens its own changes, or writes machinery only: there is no transaction around it, and no idempotency key. */
  readonly machinery?: true;
  /** Does something slow before its transaction opens, such as asking elsewhere; a replay does not do it again. */
  readonly prepares?: true;
  /** The answer holds a secret that is shown once; field that a late replay nulls. */
  readonly revealsOnce?: "token";
  /** The answer sets or clears the cookie of a session. */
  readonly setsCookies?: true;
  /** For what watches the service: no rate limit counts it, and where people sign in it answers under any host name. */
  readonly probe?: true;
}

type ParamNames<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamNames<`/${Tail}`>
    : Rest extends `${infer Name}.txt`
      ? Name
      : Rest
  : never;

/** The path parameters of an operation, by name. */
export type Params<O extends Operation> = { readonly [K in ParamNames<O["path"]>]: string };
/** The parsed query of an operation (defaults applied). */
export type Query<O extends Operation> = O["query"] extends z.ZodType ? z.output<O["query"]> : Record<never, never>;
/** The parsed body of an operation (defaults applied). */
export type Body<O extends Operation> = O["body"] extends z.ZodType ? z.output<O["body"]> : undefined;
/** The body a caller sends. */
export type BodyInput<O extends Operation> = O["body"] extends z.ZodType ? z.input<O["body"]> : undefined;
/** The query a caller sends. */
export type QueryInput<O extends Operation> = O["query"] extends z.ZodType ? z.input<O["query"]> : Record<never, never>;
/** The resource, or one item of the list, that an operation answers. */
export type Resource<O extends Operation> = O["answer"] extends { schema: infer S extends z.ZodType }
  ? z.output<S>
  : O["answer"] extends { kind: "text" }
    ? string
    : undefined;

/**
 * True where the path's first entity is not a company: it may be named instead of identified, and `?companyId=` says where
 * the name is looked up, on every such operation.
 */
export function takesCompanyHint({ path }: Operation): boolean {
  const first = /:(\w+Id)\b/.exec(path)?.[1];
  return first !== undefined && first !== "companyId";
}

/**
 * True where an operation takes an `Idempotency-Key`: the same key and body give the first answer again, without a second
 * effect.
 */
export function takesKey({ method, machinery }: Pick<Operation, "method" | "machinery">): boolean {
  return method !== "GET" && machinery === undefined;
}

/** True where an operation changes what has an ETag, so that it takes `If-Match`. */
export function takesVersion({ method, answer }: Pick<Operation, "method" | "answer">): boolean {
  return method !== "GET" && answer.kind === "record" && answer.versioned === true;
}

/** Declares operations; keeps their literal types. */
export function operations<const T extends Record<string, Operation>>(declared: T): T {
  return declared;
}

/** Longest page a caller may ask for. */
export const pageLimit = 200;

/** The query of a list: `limit` items after `cursor`, plus `filters`. */
export function pageQuery<T extends z.ZodRawShape>(filters: T, defaultLimit = 50) {
  return z.strictObject({
    limit: z.coerce.number().int().min(1).max(pageLimit).default(defaultLimit).describe(`1 to ${pageLimit}`),
    cursor: z.string().max(500).optional().describe("Opaque; from the Link header of the page before"),
    ...filters,
  });
}
