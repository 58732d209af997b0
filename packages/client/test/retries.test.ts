import { afterEach, describe, expect, test } from "vitest";
import { freePort } from "../../../scripts/free-port.mjs";
import { type ClientOptions, createClient, Unanswered } from "../src/index.ts";
import {
  type Answering,
  answering,
  cuttingOff,
  hangingUp,
  type PlayedService,
  playServices,
  refusing,
} from "./fixture/played-service.ts";

const companyId = "0198f000-0000-7000-8000-000000000002";
const params = { companyId };
const issue = { id: "0198f000-0000-7000-8000-000000000003" };
const soon = { "retry-after": "0" };
const keysOf = ({ asked }: PlayedService) => asked.map(({ headers }) => headers["idempotency-key"]);

const service = (status: number): Answering => refusing(status, "overloaded", soon);

/** What a proxy says whose service is away; it is no JSON. */
const gateway =
  (status: number): Answering =>
  (_, response) =>
    response.writeHead(status, soon).end("<html>");

describe("a call that fails for now", () => {
  const services = playServices();
  afterEach(() => services.close());
  const play = (options: Partial<ClientOptions>, ...answers: [Answering, ...Answering[]]) =>
    services.play(options, ...answers);

  test.each([
    ["the connection breaks before an answer", hangingUp],
    ["the connection breaks within an answer", cuttingOff],
    ["the answer is cut where it cannot be seen", (_, response) => response.end('{"id')],
    ["the service has no database at the moment", service(503)],
    ["the service says that it is too much", refusing(429, "rate_limited", soon)],
    ["a proxy finds no service", gateway(502)],
    ["a proxy waits too long for it", gateway(504)],
  ] satisfies [string, Answering][])("is tried again when %s", async (_, failing) => {
    const played = await play({}, failing, answering(issue));
    expect(await played.client.issues.get({ params: { issueId: "ACM-1" } })).toEqual(issue);
    expect(played.asked).toHaveLength(2);
  });

  test("is tried again when no answer comes in time", async () => {
    const played = await play({ timeoutMs: 300 }, () => undefined, answering(issue));
    expect(await played.client.issues.get({ params: { issueId: "ACM-1" } })).toEqual(issue);
  });

  test.each([
    [400, "invalid_request"],
    [401, "unauthenticated"],
    [403, "other_company"],
    [404, "not_found"],
    [409, "checkout_held"],
    [412, "stale_revision"],
    [422, "unknown_reference"],
    [500, "internal"],
  ])("is not tried again when it is refused as it is: %i %s", async (status, code) => {
    const played = await play({}, refusing(status, code, soon));
    await expect(played.client.issues.list({ params })).rejects.toMatchObject({ status, code });
    expect(played.asked).toHaveLength(1);
  });

  test("is tried so often and no more, and then throws the last failure", async () => {
    const played = await play({ retries: 2 }, hangingUp, hangingUp, service(503), answering([]));
    await expect(played.client.issues.list({ params })).rejects.toMatchObject({ name: "Refused", status: 503 });
    expect(played.asked).toHaveLength(3);
  });

  test("is tried once without retries, and goes without a key", async () => {
    const played = await play({ retries: 0 }, service(503));
    await expect(played.client.issues.create({ params, body: { title: "Once" } })).rejects.toMatchObject({
      status: 503,
    });
    expect(keysOf(played)).toEqual([undefined]);
  });

  test("waits as long as the service says, in seconds or until a date", async () => {
    const first = await play({}, refusing(503, "overloaded", { "retry-after": "1" }), answering([]));
    await first.client.issues.list({ params });
    const [early, late] = first.asked.map(({ at }) => at);
    // Timers and clocks are read apart by a little.
    expect((late ?? 0) - (early ?? 0)).toBeGreaterThan(990);
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const second = await play({}, refusing(429, "rate_limited", { "retry-after": date }));
    const { retryAfterSec } = await second.client.issues.list({ params }).catch((error) => error);
    expect(retryAfterSec).toBeGreaterThan(3500);
  });

  test("does not wait longer than its whole time", async () => {
    const played = await play({ totalMs: 60_000 }, refusing(429, "rate_limited", { "retry-after": "61" }));
    await expect(played.client.issues.list({ params })).rejects.toMatchObject({ retryAfterSec: 61 });
    expect(played.asked).toHaveLength(1);
    const silent = await play({ totalMs: 300, retries: 1000 }, () => undefined);
    await expect(silent.client.issues.list({ params })).rejects.toThrow(/nothing came within/);
  });

  test("is given up while it waits, when its signal aborts", async () => {
    const giving = new AbortController();
    const played = await play({}, (request, response) => {
      refusing(503, "overloaded", { "retry-after": "60" })(request, response);
      response.on("close", () => giving.abort(new Error("enough")));
    });
    await expect(played.client.issues.list({ params, signal: giving.signal })).rejects.toThrow("enough");
  });

  describe("when it changes something", () => {
    test("goes under one key of its own in all its tries, with the same body", async () => {
      const played = await play({}, hangingUp, service(503), answering(issue, {}, 201), answering(issue, {}, 201));
      await played.client.issues.create({ params, body: { title: "Once" } });
      await played.client.issues.create({ params, body: { title: "Once" } });
      const [first, second, third, other] = keysOf(played);
      expect(first).toMatch(/^[0-9a-f]{32}$/);
      expect([second, third]).toEqual([first, first]);
      expect(other).not.toBe(first);
      const bodies = played.asked.slice(1).map(({ body }) => body);
      expect(bodies).toEqual(bodies.map(() => '{"title":"Once"}'));
    });

    test("keeps the key and the version that the caller gave", async () => {
      const played = await play({}, service(503), answering(issue));
      const change = { params: { issueId: "ACM-1" }, body: { title: "Twice" }, ifMatch: 3, idempotencyKey: "mine" };
      await played.client.issues.change(change);
      expect(keysOf(played)).toEqual(["mine", "mine"]);
      expect(played.asked.map(({ headers }) => headers["if-match"])).toEqual(['"3"', '"3"']);
    });

    test("is tried again whether it adds, changes or removes", async () => {
      const gone: Answering = (_, response) => response.writeHead(204).end();
      const played = await play({}, hangingUp, gone);
      await played.client.agentKeys.revoke({ params: { agentId: "ada", keyId: companyId } });
      const [first, second] = keysOf(played);
      expect([played.asked[0]?.method, first === second, typeof first]).toEqual(["DELETE", true, "string"]);
    });

    test("is tried once where it takes no key: signing in, and what runners say", async () => {
      const entering = await play({}, service(503));
      const body = { email: "ada@example.com", password: "correct horse" };
      await expect(entering.client.auth.signIn({ body })).rejects.toMatchObject({ status: 503 });
      const telling = await play({}, hangingUp);
      await expect(telling.client.runners.extend({ body: { held: [] } })).rejects.toBeInstanceOf(Unanswered);
      expect([keysOf(entering), keysOf(telling)]).toEqual([[undefined], [undefined]]);
    });
  });

  test("says where it was sent and why there is no answer, without what was sent", async () => {
    const port = await freePort();
    const away = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: "secret-token", retries: 0 });
    const error = await away.issues.list({ params, query: { q: "secret-query" } }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Unanswered);
    const address = `http://127.0.0.1:${port}/api/companies/${companyId}/issues`;
    expect(error).toMatchObject({ address, reason: "ECONNREFUSED", cause: { cause: { code: "ECONNREFUSED" } } });
    expect(String(error)).toBe(`Unanswered: No answer from ${address} (GET): ECONNREFUSED`);
  });

  test("quotes nothing of an answer that was cut: it may hold a token", async () => {
    const played = await play({ retries: 0 }, (_, response) => response.end('svk_secret"'));
    const call = played.client.agentKeys.create({ params: { agentId: "ada" }, body: {} });
    await expect(call).rejects.toThrow(/\(POST\): what was answered is not JSON$/);
  });
});
