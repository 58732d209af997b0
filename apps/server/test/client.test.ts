import { type Client, createClient, isRefused, versionOf } from "@roster/client";
import { type Switchboard, startSwitchboard } from "@roster/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany } from "./run-ground.ts";

const line = (n: number) => ({ kind: "output", stream: "stdout", offset: n, length: 1, text: `${n}` }) as const;

describe("a client whose connection breaks", () => {
  let ground: RunGround;
  let company: TestCompany;
  let switchboard: Switchboard;
  let client: Client;
  beforeAll(async () => {
    ground = await startRunGround();
    switchboard = await startSwitchboard(ground.server.url);
    client = createClient({ baseUrl: switchboard.url });
  });
  beforeEach(async () => {
    company = await ground.company();
    switchboard.to(ground.server.url);
  });
  afterAll(async () => {
    switchboard.close();
    await ground.close();
  });

  /** The answer to a call whose first answer is lost, and what the log holds of it. */
  async function lost<T>(call: () => Promise<T>): Promise<{ answer: T; actions: string[] }> {
    const before = (await company.log()).length;
    switchboard.swallowNextAnswer();
    const answer = await call();
    return { answer, actions: (await company.log()).slice(before).map(({ action }) => action) };
  }

  test("creates once, and is told what it made", async () => {
    const params = { companyId: company.id };
    const { answer, actions } = await lost(() => client.issues.create({ params, body: { title: "Once" } }));
    expect([answer.title, actions]).toEqual(["Once", ["issue.created"]]);
    expect((await client.issues.list({ params })).items).toHaveLength(1);
    expect(versionOf(answer)).toBe(1);
  });

  test("changes once, with the version it has seen, and comments once", async () => {
    const issue = await client.issues.get({ params: { issueId: (await company.issue()).id } });
    const body = { status: "in_progress", comment: "Begun." } as const;
    const change = { params: { issueId: issue.id }, body, ifMatch: versionOf(issue) };
    const { answer, actions } = await lost(() => client.issues.change(change));
    expect([answer.status, versionOf(answer), actions]).toEqual(["in_progress", 2, ["issue.moved", "comment.created"]]);
    expect((await client.issues.listComments({ params: { issueId: issue.id } })).items).toHaveLength(1);
  });

  test("removes once, and is not told that there is nothing", async () => {
    const params = { agentId: (await company.agent()).id };
    const { id: keyId } = await client.agentKeys.create({ params, body: {} });
    const { actions } = await lost(() => client.agentKeys.revoke({ params: { ...params, keyId } }));
    expect(actions).toEqual(["agent_key.revoked"]);
    const again = await client.agentKeys.revoke({ params: { ...params, keyId } }).catch((error: unknown) => error);
    expect(isRefused(again, "not_found")).toBe(true);
  });

  test("gets the token of the one key that was made", async () => {
    const params = { agentId: (await company.agent()).id };
    const { answer, actions } = await lost(() => client.agentKeys.create({ params, body: {} }));
    expect(actions).toEqual(["agent_key.created"]);
    expect(await ground.server.as(answer.token ?? "").agents.me()).toMatchObject({ id: params.agentId });
  });

  test("reads, page after page, everything that was there, through a service that goes and comes", async () => {
    const sibling = await ground.sibling();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await company.issue()).id);
    const seen: string[] = [];
    for await (const { id } of client.issues.list.all({ params: { companyId: company.id }, query: { limit: 2 } })) {
      seen.push(id);
      switchboard.to(seen.length % 2 === 0 ? ground.server.url : sibling.url);
      if (seen.length < 3) await company.issue();
    }
    expect(seen).toEqual(ids);
  });

  test("P7: follows a run over a restart of the service: every event once, in order, to the end", async () => {
    const sibling = await ground.sibling();
    const runner = await company.runner();
    const { id: runId } = await ground.wake((await company.agent()).id);
    const order = await runner.begin();
    await runner.tell(order, [line(0), line(1)]);
    const events = client.runs.events.follow({ params: { runId } });
    const told = [(await events.next()).value?.text, (await events.next()).value?.text];
    switchboard.to(null);
    await runner.tell(order, [line(2)]);
    // Whether it has noticed that nobody is there, or not yet.
    const next = events.next();
    await runner.tell(order, [line(3)]);
    switchboard.to(sibling.url);
    told.push((await next).value?.text);
    await runner.settle(order, {}, [line(4)]);
    for await (const { text } of events) told.push(text ?? undefined);
    expect(told).toEqual(["0", "1", "2", "3", "4"]);
  });

  test("P7: follows a company's log over a restart of the service, until it is told to stop", async () => {
    const sibling = await ground.sibling();
    const giving = new AbortController();
    const query = { after: (await company.log()).length, action: "issue.created" };
    const entries = client.activity.events.follow({ params: { companyId: company.id }, query, signal: giving.signal });
    const titled = async (): Promise<unknown> => (await entries.next()).value?.details["title"];
    await company.issue({ title: "before" });
    const told = [await titled()];
    switchboard.to(null);
    await company.issue({ title: "meanwhile" });
    const next = titled();
    switchboard.to(sibling.url);
    told.push(await next);
    await company.issue({ title: "after" });
    told.push(await titled());
    expect(told).toEqual(["before", "meanwhile", "after"]);
    const last = titled();
    giving.abort(new Error("enough"));
    await expect(last).rejects.toThrow("enough");
  });

  test("follows no run whose credential is dead", async () => {
    const runner = await company.runner();
    const { id: runId } = await ground.wake((await company.agent()).id);
    const order = await runner.begin();
    await runner.tell(order, [line(0)]);
    const { token } = await client.agentKeys.create({ params: { agentId: order.agentId }, body: {} });
    const agent = createClient({ baseUrl: switchboard.url, token: token ?? "" });
    const events = agent.runs.events.follow({ params: { runId } });
    expect((await events.next()).value?.text).toBe("0");
    await client.agents.terminate({ params: { agentId: order.agentId } });
    switchboard.to(ground.server.url);
    await expect(events.next()).rejects.toMatchObject({ status: 401 });
  });
});
