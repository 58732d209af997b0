import type { Client } from "@roster/client";
import type { FastifyInstance } from "fastify";
import type { Sql } from "postgres";
import type { Stage } from "./stage.ts";

/**
 * One request of a scenario. `#` in the body becomes a number that no other request has, `#` in the path the id of
 * something that no other request is about.
 */
export interface LoadRequest {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What is aimed at; which of these a scenario is held to differs. */
export interface Aim {
  /** Requests per second as a part of the floor's, at least. */
  readonly ofFloor: number;
  readonly perSecond?: number;
  /** SQL statements of one request, BEGIN and COMMIT included, at most. */
  readonly statements?: number;
}

/** Ids and tokens that the requests need. */
export type Prepared = Readonly<Record<string, string>>;

/** Something the service does often, measured against bare routes that do the same SQL. */
export interface Scenario {
  readonly name: string;
  /** Registers the bare routes: the same paths and statements, without contract, authorisation and mapping. */
  floor(app: FastifyInstance, sql: Sql): void;
  /** Makes in one company, through the API, what the requests need. */
  prepare(company: { readonly id: string }, stage: Stage): Promise<Prepared>;
  /**
   * Makes one more of what a request uses up, and answers its id, which is `#` in the path. A round then ends with its
   * supply.
   */
  supply?(prepared: Prepared, as: (token: string) => Client): Promise<string>;
  /** The request, the same for the service and the floor. With several companies each is asked in turn. */
  request(prepared: Prepared): LoadRequest;
  readonly aim: Aim;
}
