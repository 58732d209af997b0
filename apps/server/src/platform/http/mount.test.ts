import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { type ActivityEntry, instanceId, localBoardUserId, type RunEvent } from "@roster/contract";
import { createTestDatabase, type TestDatabase } from "@roster/testing";
import { type FastifyInstance, fastify } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { systemClock } from "../clock.ts";
import { type Database, openDatabase } from "../database/index.ts";
import { newId } from "../ids.ts";
import { createLog } from "../log.ts";
import { Missing } from "../refusal.ts";
import type { AgentCaller, Caller, Scope } from "../scope.ts";
import { openMasterKey } from "../secrets/index.ts";
import type { Handlers } from "./handler.ts";
import { mount } from "./mount.ts";

const [here, elsewhere] = [newId(), newId()];
const [run, foreignRun, agentId] = [newId(), newId(), newId()];
const patienceMs = 5000;

const agent: AgentCaller = {
  kind: "agent",
  agentId,
  companyId: here,
  name: "An agent",
  status: "idle",
  companyStatus: "active",
  permissions: { canCreateAgents: false, canManageSkills: false, canAssignTasks: false },
  runId: run,
  cause: { causeId: newId(), rootId: newId(), hops: 2 },
};
const callers: Record<string, Caller> = {
  board: { kind: "board", userId: localBoardUserId },
  agent,
  runner: {
    kind: "runner",
    runnerId: newId(),
    name: "everywhere",
    companyIds: null,
    seenWith: null,
    runCompanyId: null,
  },
  bound: { kind: "runner", runnerId: newId(), name: "bound", companyIds: [here], seenWith: null, runCompanyId: null },
};

interface Called {
  readonly scope: Scope;
  readonly input: { readonly query: unknown; readonly params: unknown; readonly body: unknown; gone: AbortSignal };
}

type Answering = (called: Called) => unknown;

/** Everything the contract declares, answered by what a test says. */
function handlersOf(answering: () => Answering): Handlers {
  const handler = async (scope: Scope, input: Called["input"]) => answering()({ scope, input });
  const every = { get: () => handler };
  return new Proxy({}, { get: () => new Proxy({}, every) }) as Handlers;
}

const event = (seq: number): RunEvent => ({
  seq,
  kind: "output",
  stream: "stdout",
  text: `line ${seq}`,
  data: null,
  createdAt: new Date(0).toISOString(),
});

const entry = (seq: number): ActivityEntry => ({
  seq,
  id: here,
  companyId: here,
  action: "company.changed",
  entityType: "company",
  entityId: here,
  actor: { kind: "user", id: localBoardUserId, name: "The board" },
  cause: { seq: null, rootSeq: seq, hops: 0 },
  details: { name: "x".repeat(200) },
  sentence: "The board changed the company",
  createdAt: new Date(0).toISOString(),
});

describe("the mounted contract", () => {
  let place: TestDatabase;
  let database: Database;
  let url: string;
  let app: FastifyInstance;
  let answering: Answering;
  beforeAll(async () => {
    place = await createTestDatabase(inject("clusterUrl"), inject("templateDatabase"));
    database = openDatabase({ url: place.url, poolSize: 2 });
    ({ app, url } = await start());
  });
  beforeEach(() => {
    answering = () => expect.fail("the handler is not to be called");
  });
  afterAll(async () => {
    await app.close();
    await database.close();
    await place.drop();
  });

  async function start(beatMs?: number): Promise<{ app: FastifyInstance; url: string }> {
    const started = fastify({ loggerInstance: createLog("silent"), forceCloseConnections: true });
    const companies: Readonly<Record<string, string>> = { [here]: here, [run]: here, [foreignRun]: elsewhere };
    mount(
      started as unknown as FastifyInstance,
      {
        database,
        notifier: { notify: () => undefined },
        clock: systemClock,
        keys: await openMasterKey({ value: "11".repeat(32), file: undefined, home: undefined }, database.driver),
        version: "test",
        locator: {
          companyOf: async (_db, _kind, id) => companies[id] ?? null,
          byName: async () => null,
          isNamedInCompany: () => false,
        },
        guard: () => undefined,
        roleOf: async () => null,
        authenticate: async ({ headers }) => callers[headers.authorization ?? "board"] ?? expect.fail(),
        checkAnswers: true,
        beatMs,
      },
      handlersOf(() => answering),
    );
    return { app: started as unknown as FastifyInstance, url: await started.listen({ port: 0, host: "127.0.0.1" }) };
  }

  interface Sent {
    readonly method?: string;
    readonly as?: string;
    /** Another server than the usual one. */
    readonly at?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  }

  function send(path: string, sent: Sent = {}): Promise<Response> {
    const { method = "GET", as = "board", at = url, headers = {}, body } = sent;
    const type = { "content-type": "application/json" };
    return fetch(at + path, {
      method,
      headers: { authorization: as, ...headers, ...(body !== undefined && type) },
      body: body === undefined ? null : JSON.stringify(body),
    });
  }

  const codeOf = async (answer: Response): Promise<string> => {
    const { code } = (await answer.json()) as { code: string };
    return `${answer.status} ${code}`;
  };

  const claim = { method: "POST", body: { capacity: 1 } };
  const startRun = (id: string) => `/api/runner/runs/${id}/start`;

  describe("for runners", () => {
    test("only they may do what is theirs, and nothing else", async () => {
      expect(await codeOf(await send("/api/runner/claim", claim))).toBe("403 forbidden");
      expect(await codeOf(await send("/api/runner/claim", { ...claim, as: "agent" }))).toBe("403 forbidden");
      expect(await codeOf(await send(`/api/heartbeat-runs/${run}`, { as: "runner" }))).toBe("403 forbidden");
      expect(await codeOf(await send("/api/companies", { as: "runner" }))).toBe("403 forbidden");
      answering = () => ({ orders: [], end: [], forget: [] });
      expect((await send("/api/runner/claim", { ...claim, as: "runner" })).status).toBe(200);
    });

    test("a run is found in its company; a runner bound to others learns only that it is elsewhere", async () => {
      const seen: string[] = [];
      answering = ({ scope }) => void seen.push(scope.companyId);
      const start = { method: "POST", body: { epoch: 1 } };
      expect((await send(startRun(run), { ...start, as: "bound" })).status).toBe(204);
      expect((await send(startRun(foreignRun), { ...start, as: "runner" })).status).toBe(204);
      expect(await codeOf(await send(startRun(foreignRun), { ...start, as: "bound" }))).toBe("403 other_company");
      expect(await codeOf(await send(startRun(newId()), { ...start, as: "bound" }))).toBe("404 not_found");
      expect(await codeOf(await send(startRun("no-id"), { ...start, as: "bound" }))).toBe("404 not_found");
      expect(seen).toEqual([here, elsewhere]);
    });

    test("machinery has no change around it and no idempotency key", async () => {
      const seen: Called[] = [];
      answering = (called) => {
        seen.push(called);
        return { orders: [], end: [], forget: [] };
      };
      const keyed = { ...claim, as: "runner", headers: { "idempotency-key": "of no\tform" } };
      for (const answer of [await send("/api/runner/claim", keyed), await send("/api/runner/claim", keyed)]) {
        expect(answer.status).toBe(200);
        expect(answer.headers.get("idempotent-replayed")).toBeNull();
      }
      expect(seen.map(({ scope }) => [scope.companyId, "write" in scope])).toEqual([
        [instanceId, false],
        [instanceId, false],
      ]);
    });
  });

  test("what an agent in a run does goes on with the chain of the run", async () => {
    const causes: unknown[] = [];
    answering = ({ scope }) => {
      causes.push(scope.cause);
      throw new Missing("run", run);
    };
    await send(`/api/heartbeat-runs/${run}`, { as: "agent" });
    await send(`/api/heartbeat-runs/${run}`);
    expect(causes).toEqual([agent.cause, { causeId: null, rootId: null, hops: 0 }]);
  });

  test("what is accepted answers 202", async () => {
    answering = () => ({ run: null, coalesced: false, skipped: "self_caused" });
    const answer = await send(`/api/agents/${run}/wakeup`, { method: "POST", body: {} });
    expect([answer.status, await answer.json()]).toEqual([
      202,
      { run: null, coalesced: false, skipped: "self_caused" },
    ]);
  });

  describe("bytes", () => {
    const content = Buffer.from("0123456789ä");
    const path = `/api/heartbeat-runs/${run}/log`;
    const source = (bytes: Buffer) => ({
      total: bytes.byteLength,
      async *read(from: number, to: number) {
        for (let at = from; at < to; at += 3) yield bytes.subarray(at, Math.min(at + 3, to));
      },
    });

    test("come whole, or in the part that Range names", async () => {
      answering = () => source(content);
      const whole = await send(path);
      expect(whole.status).toBe(200);
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        "content-type": "text/plain; charset=utf-8",
        "content-length": "12",
        "accept-ranges": "bytes",
      });
      expect(await whole.text()).toBe("0123456789ä");
      const part = await send(path, { headers: { range: "bytes=2-6" } });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 2-6/12"]);
      expect(await part.text()).toBe("23456");
      const several = await send(path, { headers: { range: "bytes=0-1,3-4" } });
      expect([several.status, await several.text()]).toEqual([200, "0123456789ä"]);
      const conditional = await send(path, { headers: { range: "bytes=2-6", "if-range": '"1"' } });
      expect(conditional.status).toBe(200);
    });

    test("that are not there are refused, with how many there are", async () => {
      answering = () => source(content);
      const answer = await send(path, { headers: { range: "bytes=12-" } });
      expect(answer.headers.get("content-range")).toBe("bytes */12");
      expect(await codeOf(answer)).toBe("416 range_not_satisfiable");
    });

    test("of nothing are nothing", async () => {
      answering = () => source(Buffer.alloc(0));
      const answer = await send(path);
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
    });

    test.each([
      ["fails", () => Promise.reject(new Error("away"))],
      ["gives less than it said", () => Promise.resolve([])],
      ["gives more than it said", () => Promise.resolve([Buffer.alloc(20)])],
    ])("never look whole when their source %s", async (_, rest) => {
      answering = () => ({
        total: 12,
        async *read() {
          yield Buffer.from("01234");
          yield* await rest();
        },
      });
      await expect(send(path).then((answer) => answer.text())).rejects.toThrow();
    });

    test("are refused as anything else is when their source fails before the first", async () => {
      const failing = { next: () => Promise.reject(new Error("away")) };
      answering = () => ({ total: 12, read: () => ({ [Symbol.asyncIterator]: () => failing }) });
      const answer = await send(path, { headers: { range: "bytes=0-3" } });
      expect(await codeOf(answer)).toBe("500 internal");
    });
  });

  describe("lines", () => {
    const path = `/api/companies/${here}/activity/export`;
    /** So many batches of entries; then what the test says. */
    const batches = (count: number, last: () => void, ended: () => void = () => undefined): Answering =>
      async function* () {
        try {
          for (let n = 0; n < count; n += 1) yield [entry(2 * n + 1), entry(2 * n + 2)];
          last();
        } finally {
          ended();
        }
      };

    test("are all that there is, however much", async () => {
      answering = batches(500, () => undefined);
      const answer = await send(path);
      expect(answer.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
      const lines = (await answer.text()).trimEnd().split("\n");
      expect(lines.map((line) => JSON.parse(line))).toEqual(lines.map((_, index) => entry(index + 1)));
      expect(lines).toHaveLength(1000);
    });

    test("are refused as anything else is when their source fails before the first", async () => {
      answering = batches(0, () => expect.fail("away"));
      expect(await codeOf(await send(path))).toBe("500 internal");
    });

    test("break off when their source fails later, so that a part does not look whole", async () => {
      answering = batches(3, () => expect.fail("away"));
      const answer = await send(path);
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow("terminated");
    });

    test("are given up when their reader leaves", async () => {
      const left = new Promise<void>((resolve) => {
        answering = batches(Number.POSITIVE_INFINITY, () => undefined, resolve);
      });
      const asked = request(url + path, { headers: { authorization: "board" } }).end();
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      await once(answer, "data");
      asked.destroy();
      await left;
    });
  });

  describe("a page that is followed", () => {
    const path = `/api/heartbeat-runs/${run}/events`;
    const events = { accept: "text/event-stream" };
    /** Items after the one that is asked for, up to the fifth; then what the test says. */
    const following =
      (last: (signal: AbortSignal) => Promise<void> = () => Promise.resolve()): Answering =>
      ({ input }) => ({
        items: [event(1)],
        next: null,
        async *follow(signal: AbortSignal) {
          for (let seq = (input.query as { after: number }).after + 1; seq <= 5; seq += 1) yield event(seq);
          await last(signal);
        },
      });

    test("is an ordinary page for who does not ask for events", async () => {
      answering = following();
      const answer = await send(path, { headers: { "last-event-id": "3" } });
      expect(await answer.json()).toEqual([event(1)]);
    });

    test("comes as events, from after the last that was seen, and says that it ends", async () => {
      answering = following();
      const answer = await send(`${path}?after=1`, { headers: { ...events, "last-event-id": "3" } });
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      const written = [4, 5].map((seq) => `id: ${seq}\ndata: ${JSON.stringify(event(seq))}\n\n`).join("");
      expect(await answer.text()).toBe(`retry: 1000\n\n${written}event: end\ndata: {}\n\n`);
    });

    test("is refused before it begins as anything else is", async () => {
      answering = following();
      expect(await codeOf(await send(path, { headers: { ...events, "last-event-id": "x" } }))).toBe(
        "400 invalid_request",
      );
      answering = () => {
        throw new Missing("run", foreignRun);
      };
      expect(await codeOf(await send(path, { headers: events, as: "agent" }))).toBe("403 other_company");
    });

    test("is given up when its reader leaves", async () => {
      const left = new Promise<void>((resolve) => {
        answering = following(async (signal) => {
          await once(signal, "abort");
          resolve();
        });
      });
      const asked = request(url + path, { headers: { authorization: "board", ...events } }).end();
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      await once(answer, "data");
      asked.destroy();
      await left;
    });

    test("ends without an end when its reader may no more, who is told why when asking again", async () => {
      const { app: beating, url: there } = await start(10);
      const sent = { at: there, headers: events, as: "leaver" };
      callers["leaver"] = { kind: "board", userId: localBoardUserId };
      const over = new Promise<void>((resolve) => {
        answering = following(async (signal) => {
          callers["leaver"] = { kind: "board", userId: newId() };
          await once(signal, "abort");
          resolve();
        });
      });
      const text = await (await send(path, sent)).text();
      expect(text).toContain("id: 5\n");
      expect(text).not.toContain("event: end");
      await over;
      expect(await codeOf(await send(path, sent))).toBe("403 other_company");
      await beating.close();
    });

    test("breaks off without an end when its source fails", async () => {
      answering = following(() => Promise.reject(new Error("away")));
      const text = await (await send(`${path}?after=4`, { headers: events })).text();
      expect(text).toContain("id: 5\n");
      expect(text).not.toContain("event: end");
    });
  });

  test("a long wait ends when the caller leaves", async () => {
    const leaving = new AbortController();
    const left = new Promise<void>((resolve) => {
      answering = async ({ input: { gone } }) => {
        const aborted = once(gone, "abort");
        leaving.abort();
        await aborted;
        resolve();
      };
    });
    const headers = { authorization: "runner", "content-type": "application/json" };
    const init = { method: "POST", headers, body: '{"capacity":1}', signal: leaving.signal };
    await expect(fetch(`${url}/api/runner/claim`, init)).rejects.toThrow("aborted");
    await left;
  });

  test("a server that stops answers who waits, ends streams without an end, and is gone at once", async () => {
    const { app: stopping, url: there } = await start();
    let waiting = 0;
    let bothWait: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => {
      bothWait = resolve;
    });
    const waitFor = async (signal: AbortSignal): Promise<void> => {
      waiting += 1;
      if (waiting === 2) bothWait();
      await once(signal, "abort");
    };
    answering = async ({ input }) => {
      if (input.body === undefined)
        return { items: [], next: null, follow: (signal: AbortSignal) => untilAbort(waitFor, signal) };
      await waitFor(input.gone);
      return { orders: [], end: [], forget: [] };
    };
    const headers = { authorization: "runner", "content-type": "application/json" };
    const claimed = fetch(`${there}/api/runner/claim`, { method: "POST", headers, body: '{"capacity":1}' });
    const followed = fetch(`${there}/api/heartbeat-runs/${run}/events`, {
      headers: { authorization: "board", accept: "text/event-stream" },
    });
    await ready;
    const began = performance.now();
    await stopping.close();
    expect(performance.now() - began).toBeLessThan(patienceMs);
    expect(await (await claimed).json()).toEqual({ orders: [], end: [], forget: [] });
    expect(await (await followed).text()).toBe("retry: 1000\n\n");
  });
});

/** Nothing comes, until the wait is over. */
async function* untilAbort(
  waitFor: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  await waitFor(signal);
  yield* [];
}
