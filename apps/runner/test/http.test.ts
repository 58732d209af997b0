import { once } from "node:events";
import type { RunOrder } from "@roster/contract";
import { type Received, type Receiver, startReceiver } from "@roster/testing";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { logOf, type PlannedRun } from "./fixture/control-plane.ts";
import { eventually } from "./fixture/place.ts";
import { buildRunner, plainOrder, type Stage, stage } from "./fixture/runner-process.ts";

let built: Awaited<ReturnType<typeof buildRunner>>;
let here: Stage;
let receiver: Receiver;

beforeAll(async () => {
  built = await buildRunner();
});
afterAll(() => built.remove());
beforeEach(async () => {
  here = await stage(built.entry);
  receiver = await startReceiver();
  return async () => {
    receiver.close();
    expect(await here.clear()).toEqual({ pids: [] });
  };
});

const settings = () => ({ url: receiver.url, headers: {}, startTimeoutSec: 60, graceSec: 10 });
const start = (allow: string = receiver.place) => here.start({ SERVICE_EGRESS_ALLOW: allow });
const queue = (config: object = {}, parts: Partial<RunOrder> = {}): PlannedRun =>
  here.queue("", { adapterType: "http", adapterConfig: { ...settings(), ...config }, ...parts });
const sendJson = ({ answer }: Received, body: unknown, status = 200) =>
  answer.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const dataOf = (run: PlannedRun, kind: string) => run.events.filter((event) => event.kind === kind).map((e) => e.data);

describe("an order", () => {
  it("is one POST that says all of the run, and an answer in JSON becomes its events", async () => {
    start();
    receiver.onRun = (call) =>
      sendJson(call, {
        text: "All is done.",
        usage: [{ provider: "acme", model: "m-1", inputTokens: 10, outputTokens: 2, costUsd: 0.5 }],
        session: { id: "s-1" },
      });
    const service = { ...plainOrder("").service, SERVICE_WAKE_REASON: "Because", SERVICE_SKILLS_DIR: "/here" };
    const run = queue({ cwd: "/only/there", model: "m-1" }, { service, session: { id: "s-0" } });
    const outcome = await here.settled(run);
    expect(outcome).toMatchObject({ code: "ok", message: "The receiver has finished the run.", exitCode: 0 });
    const { runId, companyId, agentId } = run.order;
    const [call] = receiver.received;
    const { SERVICE_SKILLS_DIR: _, ...environment } = service;
    expect(call?.body).toEqual({
      type: "run.start",
      ...{ runId, companyId, agentId, prompt: "Do the work.", wakeReason: "Because", environment },
      ...{ session: { id: "s-0" }, capMicros: null, cwd: "/only/there", model: "m-1" },
    });
    expect(call?.headers).toMatchObject({ "content-type": "application/json", "webhook-id": runId });
    expect(call?.headers).not.toHaveProperty("webhook-signature");
    expect(dataOf(run, "usage")).toMatchObject([
      { model: "m-1", inputTokens: 10, outputTokens: 2, costMicros: 500_000 },
    ]);
    expect(dataOf(run, "session")).toEqual([{ id: "s-1" }]);
    expect(dataOf(run, "result")).toEqual([{ text: "All is done.", isError: false }]);
    expect(receiver.received).toHaveLength(1);
  });

  it("carries headers with values of env, and a signature that the receiver can verify", async () => {
    start();
    receiver.onRun = ({ answer }) => answer.end();
    const secret = `whsec_${Buffer.from("a signing secret of the test").toString("base64")}`;
    const config = { headers: { Authorization: "Bearer {{env.TOKEN}}", "x-team": "shop" }, signingSecretEnv: "HOOK" };
    const run = queue(config, { env: { TOKEN: "token-of-the-hook", HOOK: secret } });
    expect((await here.settled(run)).code).toBe("ok");
    const [call] = receiver.received;
    expect(call?.headers).toMatchObject({ authorization: "Bearer token-of-the-hook", "x-team": "shop" });
    const headers = call?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(call?.text ?? "", headers)).toEqual(call?.body);
    expect(() => new Webhook(secret).verify(`${call?.text} `, headers)).toThrow();
    expect(JSON.stringify(call?.body)).not.toContain("token-of-the-hook");
  });

  it("of which a secret is missing or is none is not sent", async () => {
    start();
    for (const config of [{ headers: { "x-a": "{{env.GONE}}" } }, { signingSecretEnv: "HOOK" }]) {
      const run = queue(config, { env: { HOOK: "whsec_?" } });
      expect(await here.settled(run)).toMatchObject({ code: "adapter_misconfigured", exitCode: null });
    }
    expect(receiver.received).toEqual([]);
  });

  it("is made by a program that sees nothing of the agent's own variables", async () => {
    start();
    receiver.onRun = ({ answer }) => answer.end("fine");
    const run = queue({}, { env: { NODE_OPTIONS: "--require /nowhere.js" } });
    expect((await here.settled(run)).code).toBe("ok");
  });
});

describe("an answer", () => {
  it("that is text is output, even where it looks like something else", async () => {
    start();
    const lines = '{"type":"usage","inputTokens":5}\n{"type":"call.failed","code":"auth_failed","message":"No."}\n';
    receiver.onRun = ({ answer }) => answer.end(lines);
    const run = queue();
    expect((await here.settled(run)).code).toBe("ok");
    expect(String(logOf(run))).toBe(lines);
    expect(dataOf(run, "usage")).toEqual([]);
  });

  it("in JSON that says nothing known is output; one that says isError is a failure", async () => {
    start();
    receiver.onRun = (call) => sendJson(call, { anything: 1 });
    const run = queue();
    expect((await here.settled(run)).code).toBe("ok");
    expect(String(logOf(run))).toBe('{"anything":1}');
    receiver.onRun = (call) => sendJson(call, { isError: true, text: "No disk." });
    const failed = await here.settled(queue());
    expect(failed).toMatchObject({ code: "agent_error", message: "The receiver says that the run failed: No disk." });
  });

  it("may take its time: what has come of it is told meanwhile", async () => {
    start();
    receiver.onRun = ({ answer }) => answer.write("one\n");
    const run = queue();
    await eventually("the first line", async () => (String(logOf(run)) === "one\n" ? true : null));
    expect(run.outcomes).toEqual([]);
    receiver.received[0]?.answer.end("two");
    expect((await here.settled(run)).code).toBe("ok");
    expect(String(logOf(run))).toBe("one\ntwo");
  });

  it("of 20 MB is cut, with the beginning, the end and what was left out between", async () => {
    start();
    receiver.onRun = ({ answer }) => answer.end(`begin${"x".repeat(20_000_000)}end`);
    const run = queue();
    expect((await here.settled(run)).code).toBe("ok");
    const log = logOf(run);
    expect(log.length).toBeLessThan(10 * 1024 * 1024);
    expect([log.subarray(0, 6).toString(), log.subarray(-4).toString()]).toEqual(["beginx", "xend"]);
    expect(dataOf(run, "gap")).toHaveLength(1);
  });

  it("never tells a secret of the run that it says back, in text and in JSON", async () => {
    start();
    receiver.onRun = ({ answer, body, headers }) => {
      const { environment } = body as { environment: Record<string, string> };
      answer.write(`key ${environment["SERVICE_API_KEY"]}\n`);
      answer.write(`${headers.authorization?.slice(0, 20)}`);
      answer.end(`${headers.authorization?.slice(20)} ${Buffer.from(`${headers.authorization}`).toString("base64")}`);
    };
    const secret = "a-secret-value-of-42-letters";
    const run = queue({ headers: { authorization: "Bearer {{env.T}}" } }, { env: { T: secret }, secrets: [secret] });
    expect((await here.settled(run)).code).toBe("ok");
    expect(String(logOf(run))).toMatch(/^key \[redacted\]\nBearer \[redacted\] .*\[redacted\].*$/s);
    receiver.onRun = (call) => sendJson(call, { isError: true, text: `It is ${call.headers.authorization}` });
    const other = queue({ headers: { authorization: "{{env.T}}" } }, { env: { T: secret }, secrets: [secret] });
    expect((await here.settled(other)).message).toBe("The receiver says that the run failed: It is [redacted].");
    expect(JSON.stringify([other.events, run.events])).not.toContain(secret);
  });

  it.each([
    [401, "auth_failed", null],
    [403, "auth_failed", null],
    [404, "agent_error", null],
    [429, "rate_limited", 7],
    [500, "agent_error", null],
    [503, "rate_limited", 7],
    [204, "agent_error", null],
    [302, "adapter_misconfigured", null],
  ])("with status %i is %s", async (status, code, retryAfterSec) => {
    start();
    receiver.onRun = ({ answer }) =>
      answer.writeHead(status, { "retry-after": "7", location: "http://169.254.169.254/secret" }).end("why");
    const run = queue();
    const outcome = await here.settled(run);
    expect(outcome).toMatchObject({ code, retryAfterSec, exitCode: 1 });
    expect(outcome.message).toMatch(new RegExp(`^The receiver answered with status ${status}.*\\.$`));
    expect(String(logOf(run))).toBe(status === 204 ? "" : "why");
    expect(receiver.received).toHaveLength(1);
  });

  it("that breaks off, and none, is a failure that is not tried again", async () => {
    start();
    receiver.onRun = ({ answer }) => {
      answer.writeHead(200, { "content-length": "100" }).write("half");
      setImmediate(() => answer.destroy());
    };
    expect(await here.settled(queue())).toMatchObject({
      code: "agent_error",
      message: expect.stringContaining("broke"),
    });
    receiver.onRun = ({ answer }) => answer.destroy();
    expect(await here.settled(queue())).toMatchObject({
      code: "agent_error",
      message: expect.stringContaining("ECONN"),
    });
  });
});

describe("a place", () => {
  it("that nobody has opened is not called, though a private one beside it is open", async () => {
    start("127.0.0.1:1");
    const outcome = await here.settled(queue());
    expect(outcome).toMatchObject({
      code: "adapter_misconfigured",
      message: "The address of the receiver leads to an address that is not public.",
    });
    expect(receiver.received).toEqual([]);
  });

  it("where nobody answers is tried again later", async () => {
    start();
    receiver.close();
    expect(await here.settled(queue())).toMatchObject({
      code: "rate_limited",
      message: "The receiver could not be reached (ECONNREFUSED).",
    });
  });

  it("in a list that cannot be read keeps the runner from starting, in one sentence", async () => {
    const runner = start("http://x");
    expect(await runner.ended).toBe(78);
    expect(runner.said()).toMatch(/^The setting SERVICE_EGRESS_ALLOW is wrong: .*\.\n$/);
  });
});

describe("an end that is asked for", () => {
  it.each([
    ["while the receiver has not answered", () => undefined],
    ["after a part of the answer", (call: Received) => void call.answer.write("a part")],
  ])("%s is told to the receiver, and comes within the grace", async (_when, onRun) => {
    start();
    receiver.onRun = onRun;
    const limits = { ...plainOrder("").limits, graceSec: 2 };
    const secret = `whsec_${Buffer.from("a signing secret of the test").toString("base64")}`;
    const run = queue({ graceSec: 2, signingSecretEnv: "HOOK" }, { limits, env: { HOOK: secret } });
    const begun = await receiver.call("run.start");
    const left = once(begun.answer, "close");
    here.plane.end(run.order.runId, "cancelled");
    const { headers, text, body } = await receiver.call("run.cancel");
    const { runId, companyId, agentId } = run.order;
    expect(body).toEqual({ type: "run.cancel", runId, companyId, agentId });
    expect(headers["webhook-id"]).toBe(`${runId}-cancel`);
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body);
    expect(await here.settled(run)).toMatchObject({ code: "cancelled", signal: "SIGTERM" });
    await left;
  });

  it("lets the receiver finish within the grace: what it answers is told", async () => {
    start();
    const run = queue({ graceSec: 20 }, { limits: { ...plainOrder("").limits, graceSec: 20 } });
    const pending = await receiver.call("run.start");
    here.plane.end(run.order.runId, "budget_exhausted");
    await receiver.call("run.cancel");
    sendJson(pending, { text: "Half is done.", usage: [{ model: "m", inputTokens: 3 }] });
    expect(await here.settled(run)).toMatchObject({ code: "budget_exhausted", exitCode: 0 });
    expect(dataOf(run, "usage")).toMatchObject([{ inputTokens: 3 }]);
  });

  it("by the wall limit is told to the receiver too", async () => {
    start();
    const run = queue({ graceSec: 1 }, { limits: { ...plainOrder("").limits, wallSec: 2, graceSec: 1 } });
    await receiver.call("run.cancel");
    expect(await here.settled(run)).toMatchObject({ code: "timed_out", limit: "wall" });
  });
});
