import type { Client } from "@roster/client";
import { client } from "./client.ts";

type Resources = { [R in keyof Client]: `${R}.${keyof Client[R] & string}` };
/** The name of an operation of the contract, such as `issues.list`. */
export type OperationName = Resources[keyof Resources];

type CallOf<N extends OperationName> = N extends `${infer R extends keyof Client}.${infer V}`
  ? V extends keyof Client[R]
    ? Client[R][V]
    : never
  : never;

/** What an operation may be given, beside a signal. */
export type InputOf<N extends OperationName> =
  CallOf<N> extends (...input: infer I) => unknown ? Omit<NonNullable<I[0]>, "signal"> : never;
/** What an operation answers. */
export type AnswerOf<N extends OperationName> = CallOf<N> extends (...input: infer _I) => Promise<infer A> ? A : never;
/** Operations that answer a list, page by page. */
export type PagedName = {
  [N in OperationName]: AnswerOf<N> extends { readonly next: string | null } ? N : never;
}[OperationName];
/** One item of such a list. */
export type ItemOf<N extends PagedName> = AnswerOf<N> extends { readonly items: readonly (infer T)[] } ? T : never;

type LooseCall = (input: object) => Promise<unknown>;

/** Calls an operation by its name. Throws `Refused` or `Unanswered`. */
export async function callOperation<N extends OperationName>(
  name: N,
  input: InputOf<N> | undefined,
  signal?: AbortSignal,
): Promise<AnswerOf<N>> {
  const [resource = "", verb = ""] = name.split(".");
  // The name says which call it is; that input and answer are those of that call is what the types above are for.
  const call = (client as unknown as Record<string, Record<string, LooseCall>>)[resource]?.[verb];
  if (call === undefined) throw new TypeError(`the contract has no operation ${name}`);
  return (await call({ ...input, ...(signal && { signal }) })) as AnswerOf<N>;
}
