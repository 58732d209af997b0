import type { Client } from "@roster/client";
import type { AgentPermissions, BodyInput, contract, Issue, RefusalCode } from "@roster/contract";
import { expect } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

/** An agent and a client that is it. */
export interface Worker {
  readonly id: string;
  readonly name: string;
  readonly client: Client;
}

type Proposal = BodyInput<typeof contract.issues.create>;

/** A server with a company in which agents work on issues. */
export interface IssueGround {
  readonly server: TestServer;
  readonly board: Client;
  readonly companyId: string;
  /** Another company. */
  company(name?: string): Promise<string>;
  agent(name: string, more?: { reportsTo?: string; permissions?: Partial<AgentPermissions> }): Promise<Worker>;
  issue(proposal?: Partial<Proposal>): Promise<Issue>;
  /** Sentences of the log about an entity, oldest first. */
  logOf(entityId: string): Promise<string[]>;
  /** Expects a refusal with this code, and that neither an issue, nor a comment, nor the log changed. */
  refused(code: RefusalCode, call: () => Promise<unknown>): Promise<Refusal>;
  /** Statements it costs, those of the request around it included. */
  cost(call: () => Promise<unknown>): Promise<number>;
}

type Refusal = { readonly code: string; readonly status: number; readonly details: readonly { message: string }[] };

/** Starts a server for a test file about issues. */
export async function startIssueGround(): Promise<IssueGround> {
  const server = await startTestServer();
  const { board } = server;
  const company = async (name = "Acme Rocket Works") => (await board.companies.create({ body: { name } })).id;
  const companyId = await company();
  return {
    server,
    board,
    companyId,
    company,
    agent: async (name, more = {}) => {
      const body = { name, adapterType: "process", adapterConfig: { command: "true" }, ...more };
      const { id } = await board.agents.create({ params: { companyId }, body });
      const { token } = await board.agentKeys.create({ params: { agentId: id }, body: {} });
      return { id, name, client: server.as(token ?? "") };
    },
    issue: (proposal = {}) => board.issues.create({ params: { companyId }, body: { title: "An issue", ...proposal } }),
    logOf: async (entityId) => {
      const { items } = await board.activity.list({ params: { companyId }, query: { entityId, limit: 200 } });
      return items.map(({ sentence }) => sentence).reverse();
    },
    refused: (code, call) => expectRefusal(server, code, call),
    cost: async (call) => {
      const before = server.database.statements.count;
      await call();
      return server.database.statements.count - before;
    },
  };
}

async function expectRefusal(server: TestServer, code: RefusalCode, call: () => Promise<unknown>): Promise<Refusal> {
  const before = await written(server);
  const refusal = await call().then(
    (answer) => expect.fail(`was not refused: ${JSON.stringify(answer)}`),
    (error: Refusal) => error,
  );
  expect(refusal).toMatchObject({ code });
  expect(await written(server)).toEqual(before);
  return refusal;
}

async function written({ database: { driver } }: TestServer): Promise<unknown> {
  return driver`
    select (select md5(string_agg(i::text, ' ' order by i.company_id, i.id)) from issues i) as issues,
      (select md5(string_agg(t::text, ' ' order by t.company_id, t.issue_id)) from issue_texts t) as texts,
      (select md5(string_agg(n::text, ' ' order by n.company_id)) from issue_counters n) as counters,
      (select md5(string_agg(c::text, ' ' order by c.company_id, c.id)) from comments c) as comments,
      (select sum(last_seq) from activity_heads) as entries`;
}
