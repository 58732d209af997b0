import type { Client } from "@roster/client";
import {
  type ActivityEntry,
  type Agent,
  type BodyInput,
  type Contract,
  env,
  type Issue,
  type Resource,
  type Run,
  type RunOrder,
  type RunWithChain,
} from "@roster/contract";
import type { Sql } from "postgres";
import { expect } from "vitest";
import { registerRunner } from "../src/index.ts";
import { settlingWith } from "../src/interface.ts";
import { pricesWith } from "../src/modules/costs/index.ts";
import { keepAlive, reapLostRuns } from "../src/modules/runs/index.ts";
import { scopeIn } from "./module-door.ts";
import { startTestServer, type TestOptions, type TestServer } from "./test-server.ts";

type Proposal = BodyInput<Contract["agents"]["create"]>;
type Asked = Partial<BodyInput<Contract["runners"]["claim"]>>;
type Told = BodyInput<Contract["runners"]["events"]>["events"];
type Settled = BodyInput<Contract["runners"]["settle"]>["outcome"];
type Wakeup = BodyInput<Contract["runs"]["wakeup"]>;

/** What a claim answers. */
export type Tidings = Resource<Contract["runners"]["claim"]>;
/** What names a claim of a run. */
export type Claim = Pick<RunOrder, "runId" | "epoch">;

/** A runner as the service sees one: no processes, only its side of the protocol. */
export interface TestRunner {
  readonly id: string;
  readonly client: Client;
  /** Says what it was handed and has not settled, asks for one run more and does not wait, unless it says otherwise. */
  claim(asked?: Asked): Promise<Tidings>;
  /** Claims one run; fails where there is none. */
  take(asked?: Asked): Promise<RunOrder>;
  /** Claims one run and starts it. */
  begin(asked?: Asked): Promise<RunOrder>;
  start(claim: Claim): Promise<unknown>;
  tell(claim: Claim, events: Told): Promise<unknown>;
  settle(claim: Claim, outcome?: Partial<Settled>, events?: Told): Promise<void>;
  extend(...held: Claim[]): Promise<Pick<Tidings, "end" | "forget">>;
  /** The same runner, speaking to another server. */
  at(server: TestServer): TestRunner;
}

/** A company of its own for one test, whose runs only its runners take. */
export interface TestCompany {
  readonly id: string;
  agent(more?: Partial<Proposal>): Promise<Agent>;
  issue(more?: Partial<BodyInput<Contract["issues"]["create"]>>): Promise<Issue>;
  runner(name?: string): Promise<TestRunner>;
  /** Its log, oldest first. */
  log(): Promise<ActivityEntry[]>;
  /** Actions of its log about this entity, oldest first. */
  actions(entityId: string): Promise<string[]>;
  runs(): Promise<Run[]>;
}

/** A server, and what it takes to play runners and agents against it. */
export interface RunGround {
  readonly server: TestServer;
  readonly board: Client;
  readonly sql: Sql;
  company(more?: Partial<BodyInput<Contract["companies"]["create"]>>): Promise<TestCompany>;
  /** A runner that takes the runs of these companies, or of all. */
  runner(companyIds?: string[] | null, name?: string): Promise<TestRunner>;
  /** Another server on the same database; it is closed with the ground. */
  sibling(): Promise<TestServer>;
  /** Wakes an agent on demand; answers the run that it led to. */
  wake(agentId: string, body?: Wakeup): Promise<Run>;
  run(runId: string): Promise<RunWithChain>;
  /** A client with a key of the agent. */
  key(agentId: string): Promise<Client>;
  /** A client with the credential of the run. */
  inRun(order: RunOrder, server?: TestServer): Client;
  /** Expects a refusal with this code, and that nothing of any run, wake, agent or log changed. */
  refused(code: string, call: () => Promise<unknown>): Promise<Refusal>;
  /** Everything that is said of runs, wakes, leases, events, agents and in the log, as one value. */
  written(): Promise<unknown>;
  /** What each server does every few seconds: says that it is there, if it is not kept from it, then ends what was lost. */
  reap(server?: TestServer, saysSo?: boolean): Promise<void>;
  /** Lets the leases of these runs, or all, end in the past. */
  expire(...runIds: string[]): Promise<void>;
  close(): Promise<void>;
}

/** A refusal as the client throws it. */
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
  readonly fix: Readonly<Record<string, unknown>> | undefined;
}

/** The settings of an agent whose program does nothing. */
export const idleProgram = { adapterType: "process", adapterConfig: { command: "true" } } as const;

/** The credential of a run. */
export const credentialOf = (order: RunOrder): string => order.service[env("API_KEY")] ?? "";

/** Starts a server for a test file about runs. */
export async function startRunGround(options: TestOptions = {}): Promise<RunGround> {
  const server = await startTestServer(options);
  const { board, database } = server;
  const sql = database.driver;
  const host = { database, notifier: { notify: () => undefined } };
  const siblings: TestServer[] = [];

  const runner: RunGround["runner"] = async (companyIds = null, name = "A runner") => {
    const { id, token } = await registerRunner(host, { name, companyIds });
    return createRunner(server, { id, token, holding: new Map() });
  };
  const ground: RunGround = {
    server,
    board,
    sql,
    runner,
    company: async (more = {}) => {
      const { id } = await board.companies.create({ body: { name: "Acme Rocket Works", ...more } });
      return companyOf(ground, id);
    },
    sibling: async () => {
      const sibling = await server.sibling();
      siblings.push(sibling);
      return sibling;
    },
    wake: async (agentId, body = {}) => {
      const { run } = await board.runs.wakeup({ params: { agentId }, body });
      return run ?? expect.fail("the wake led to no run");
    },
    run: (runId) => board.runs.get({ params: { runId } }),
    key: async (agentId) => {
      const { token } = await board.agentKeys.create({ params: { agentId }, body: {} });
      return server.as(token ?? "");
    },
    inRun: (order, at = server) => at.as(credentialOf(order)),
    refused: (code, call) => expectRefusal(ground, code, call),
    written: () => everyRun(sql),
    reap: async (at = server, saysSo = true) => {
      if (saysSo) await keepAlive(at.database);
      await reapLostRuns(
        { ...host, database: at.database },
        scopeIn(at, "", { kind: "system" }),
        settlingWith(pricesWith()),
      );
    },
    expire: async (...runIds) => {
      await sql`
        update leases set lease_until = clock_timestamp() - interval '1 second'
        where ${runIds.length === 0} or run_id in (select unnest(${runIds}::uuid[]))`;
    },
    close: async () => {
      await Promise.all(siblings.map((sibling) => sibling.close()));
      await server.close();
    },
  };
  return ground;
}

function companyOf({ board, runner }: RunGround, companyId: string): TestCompany {
  const params = { companyId };
  const log = async (query: { entityId?: string } = {}): Promise<ActivityEntry[]> => {
    const entries: ActivityEntry[] = [];
    for (let after = 0; ; ) {
      const { items } = await board.activity.list({ params, query: { ...query, after, limit: 200 } });
      entries.push(...items);
      if (items.length < 200) return entries;
      after = items.at(-1)?.seq ?? after;
    }
  };
  return {
    id: companyId,
    agent: (more = {}) => board.agents.create({ params, body: { name: "Ada", ...idleProgram, ...more } }),
    issue: (more = {}) => board.issues.create({ params, body: { title: "An issue", ...more } }),
    runner: (name) => runner([companyId], name),
    log: () => log(),
    actions: async (entityId) => (await log({ entityId })).map(({ action }) => action),
    runs: async () => (await board.runs.list({ params, query: { limit: 200 } })).items,
  };
}

interface Identity {
  readonly id: string;
  readonly token: string;
  /** The runs it was handed and has not settled. */
  readonly holding: Map<string, Claim>;
}

function createRunner(server: TestServer, identity: Identity): TestRunner {
  const { id, token, holding } = identity;
  const client = server.as(token);
  const { runners } = client;
  const claim = async (asked: Asked = {}): Promise<Tidings> => {
    const held = [...holding.values()];
    const tidings = await runners.claim({ body: { capacity: 1, waitSec: 0, held, ...asked } });
    for (const { runId, epoch } of tidings.orders) holding.set(runId, { runId, epoch });
    return tidings;
  };
  const take = async (asked: Asked = {}): Promise<RunOrder> => {
    // Who has an agent locked for a moment, as one who judges its budget has, is waited for.
    const { orders } = await claim({ waitSec: 10, ...asked });
    return orders[0] ?? expect.fail("there was nothing to claim");
  };
  const start = ({ runId, epoch }: Claim) => runners.start({ params: { runId }, body: { epoch } });
  return {
    id,
    client,
    claim,
    take,
    start,
    begin: async (asked) => {
      const order = await take(asked);
      await start(order);
      return order;
    },
    tell: ({ runId, epoch }, events) => runners.events({ params: { runId }, body: { epoch, events } }),
    settle: async ({ runId, epoch }, outcome = {}, events = []) => {
      const ended = { code: "ok", message: "It went well.", exitCode: 0, ...outcome } as const;
      await runners.settle({ params: { runId }, body: { epoch, outcome: ended, events } });
      holding.delete(runId);
    },
    extend: (...held) => runners.extend({ body: { held: held.map(({ runId, epoch }) => ({ runId, epoch })) } }),
    at: (other) => createRunner(other, identity),
  };
}

async function expectRefusal(ground: RunGround, code: string, call: () => Promise<unknown>): Promise<Refusal> {
  const before = await ground.written();
  const refusal = await call().then(
    (answer) => expect.fail(`was not refused: ${JSON.stringify(answer)}`),
    (error: Refusal) => error,
  );
  expect(refusal).toMatchObject({ code });
  expect(await ground.written()).toEqual(before);
  return refusal;
}

async function everyRun(sql: Sql): Promise<unknown> {
  return sql`
    select (select md5(string_agg(r::text, ' ' order by r.company_id, r.id)) from runs r) as runs,
      (select md5(string_agg(w::text, ' ' order by w.company_id, w.id)) from wakes w) as wakes,
      (select md5(string_agg(l::text, ' ' order by l.company_id, l.run_id)) from leases l) as leases,
      (select md5(string_agg(e::text, ' ' order by e.company_id, e.run_id, e.seq)) from run_events e) as events,
      (select md5(string_agg(a::text, ' ' order by a.company_id, a.id)) from agents a) as agents,
      (select sum(last_seq) from activity_heads) as entries`;
}
