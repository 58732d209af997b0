import { type RunOrder, runStatuses } from "@roster/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { credentialOf, type RunGround, startRunGround, type TestCompany, type TestRunner } from "./run-ground.ts";

let ground: RunGround;
let company: TestCompany;
let runner: TestRunner;
beforeAll(async () => {
  ground = await startRunGround();
  company = await ground.company();
  runner = await company.runner();
});
afterAll(() => ground.close());

const partsOf = (order: RunOrder): unknown[] =>
  credentialOf(order)
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));

test("the credential of a run is a JWT for its agent and this claim of it, which ends with the run's own time", async () => {
  const { id } = await company.agent({
    adapterConfig: { command: "true", timeoutSec: 100, startTimeoutSec: 20, graceSec: 3 },
  });
  await ground.wake(id);
  const order = await runner.take();
  const [header, claims] = partsOf(order);
  expect(header).toEqual({ alg: "HS256", kid: expect.stringMatching(/./) });
  const { claimedAt } = await ground.run(order.runId);
  const iat = Math.floor(Date.parse(claimedAt ?? "") / 1000);
  expect(claims).toEqual({
    iss: "roster",
    aud: "agent",
    sub: id,
    company: company.id,
    run: order.runId,
    epoch: 1,
    iat,
    exp: iat + 100 + 20 + 3,
  });
  await runner.settle(order);
});

test("an agent says when it last ran; a run says which revision it ran, on which runner, and when", async () => {
  const agent = await company.agent();
  expect(agent.lastHeartbeatAt).toBeNull();
  await ground.wake(agent.id);
  const order = await runner.begin();
  const run = await ground.run(order.runId);
  expect(run).toMatchObject({ status: "running", runnerId: runner.id, revision: { number: 1 }, finishedAt: null });
  const { lastHeartbeatAt } = await ground.board.agents.get({ params: { agentId: agent.id } });
  const times = [run.claimedAt, lastHeartbeatAt, run.startedAt];
  expect(times).not.toContain(null);
  expect(times).toEqual([...times].sort());
  await runner.settle(order);
  const settled = await ground.run(order.runId);
  expect(settled).toMatchObject({ status: "succeeded", exitCode: 0, cause: { code: "ok", nextActor: "nobody" } });
  expect(settled.finishedAt).not.toBeNull();
});

test("runs are listed by agent, by issue and by status, newest first", async () => {
  const [ada, bo] = [await company.agent({ name: "Ada" }), await company.agent({ name: "Bo" })];
  await ground.wake(ada.id);
  await runner.settle(await runner.begin());
  await ground.wake(ada.id);
  await ground.wake(bo.id);
  const list = async (query: { agentId?: string; issueId?: string; status?: (typeof runStatuses)[number] }) =>
    (await ground.board.runs.list({ params: { companyId: company.id }, query })).items;
  const { id: issueId } = await company.issue();
  const [cy, dee] = [await company.agent({ name: "Cy" }), await company.agent({ name: "Dee" })];
  const about = [await ground.wake(cy.id, { issueId }), await ground.wake(dee.id, { issueId })].map(({ id }) => id);
  expect((await list({ issueId })).map(({ id }) => id)).toEqual(about.toReversed());
  expect((await list({ issueId, agentId: cy.id })).map(({ id }) => id)).toEqual([about[0]]);
  expect(await list({ issueId: company.id })).toEqual([]);
  expect((await list({ agentId: bo.id })).map(({ issueId: of }) => of)).toEqual([null]);
  const ofAda = await list({ agentId: ada.id });
  expect(ofAda.map(({ status }) => status)).toEqual(["queued", "succeeded"]);
  expect(await list({ agentId: ada.id, status: "succeeded" })).toEqual([ofAda[1]]);
  for (const status of runStatuses) for (const run of await list({ status })) expect(run.status).toBe(status);
});

test("a run may ask for one follow-up of itself, one hop further from where it began", async () => {
  const own = await ground.company();
  const hand = await own.runner();
  const { id: agentId } = await own.agent();
  const first = await ground.wake(agentId);
  const order = await hand.begin();
  const asAda = ground.inRun(order);
  const { run } = await asAda.runs.wakeup({ params: { agentId }, body: { reason: "There is more" } });
  expect(run).toMatchObject({ agentId, status: "queued", waitingFor: "concurrency" });
  expect((await asAda.runs.invoke({ params: { agentId } })).run?.id).toBe(run?.id);
  await hand.settle(order);
  const entries = (await own.log()).filter(({ action }) => action === "agent.woken");
  const causeOf = async (runId: string) => {
    const [wake] = (await ground.run(runId)).wakes;
    return entries.find(({ seq }) => seq === wake?.causeSeq)?.cause;
  };
  const [began, followed] = [await causeOf(first.id), await causeOf(run?.id ?? "")];
  expect(followed).toMatchObject({ rootSeq: began?.rootSeq, hops: (began?.hops ?? 0) + 1 });
  expect((await hand.begin()).runId).toBe(run?.id);
});
