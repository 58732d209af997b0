import type { RunEvent, RunOrder } from "@roster/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";

let ground: RunGround;
let company: TestCompany;
let runner: TestRunner;
let order: RunOrder;
beforeAll(async () => {
  ground = await startRunGround();
});
afterAll(() => ground.close());
beforeEach(async () => {
  company = await ground.company();
  runner = await company.runner();
  await ground.wake((await company.agent()).id);
  order = await runner.begin();
});

const at = ({ runId }: { runId: string }) => ({ params: { runId } });
const eventsOf = async (): Promise<RunEvent[]> =>
  (await ground.board.runs.events({ ...at(order), query: { limit: 200 } })).items;
const succeeded = { status: "succeeded", message: "All is done." } as const;

test("what an agent says of how its run came out is kept among the events of the run, the outcome last", async () => {
  const line = { kind: "output", stream: "stdout", offset: 0, length: 4, text: "one\n" } as const;
  await runner.tell(order, [line]);
  const usage = [{ model: "m-1", provider: "acme", inputTokens: 5, costUsd: 0.02 }];
  const body = { ...succeeded, result: { files: ["a.txt"] }, usage, session: { id: "s-1" } };
  await ground.inRun(order).runs.complete({ ...at(order), body });
  await runner.tell(order, [{ ...line, offset: 4, text: "two\n" }]);
  const events = await eventsOf();
  expect(events.map(({ seq, kind, stream }) => [seq, kind, stream])).toEqual([
    [1, "output", "stdout"],
    [2, "usage", null],
    [3, "session", null],
    [4, "result", null],
    [5, "output", "stdout"],
  ]);
  expect(events[3]?.data).toEqual({
    status: "succeeded",
    isError: false,
    text: "All is done.",
    result: { files: ["a.txt"] },
  });
  expect(events[2]?.data).toEqual({ id: "s-1" });
});

test("its usage is booked, once, and stays when the run is over", async () => {
  const usage = [{ model: "m-1", provider: "acme", inputTokens: 5, outputTokens: 1, costUsd: 0.02 }];
  const body = { ...succeeded, usage };
  await Promise.all([1, 2, 3].map(() => ground.inRun(order).runs.complete({ ...at(order), body })));
  const used = { inputTokens: 5, cachedInputTokens: 0, outputTokens: 1, costCents: 2 };
  expect((await ground.run(order.runId)).usage).toEqual(used);
  await runner.settle(order);
  expect((await ground.run(order.runId)).usage).toEqual(used);
  const costs = await ground.board.costs.list({ params: { companyId: company.id }, query: { runId: order.runId } });
  expect(costs.items).toMatchObject([{ provider: "acme", model: "m-1", costMicros: 20_000, priced: "reported" }]);
});

test("P2: it is one entry by the agent, also when it is said again; said otherwise it is refused and changes nothing", async () => {
  const client = ground.inRun(order);
  await client.runs.complete({ ...at(order), body: succeeded });
  await client.runs.complete({ ...at(order), body: succeeded });
  for (const body of [{ status: "failed" }, { ...succeeded, message: "Nearly." }] as const) {
    await ground.refused("wrong_state", () => client.runs.complete({ ...at(order), body }));
  }
  const entries = (await company.log()).filter(({ action }) => action === "run.completed");
  expect(entries).toMatchObject([
    { actor: { kind: "agent" }, entityId: order.runId, details: { status: "succeeded" } },
  ]);
});

test("who follows the run, on another server, hears of it at once", async () => {
  const sibling = await ground.sibling();
  const events = sibling.as(order.service["SERVICE_API_KEY"] ?? "").runs.events.follow({ ...at(order), query: {} });
  const first = events.next();
  await ground.inRun(order).runs.complete({ ...at(order), body: succeeded });
  expect((await first).value).toMatchObject({ kind: "result", stream: null, data: { status: "succeeded" } });
  await events.return?.();
});

test("nobody but the agent in this run says it: not the board, not its key, not another run, not after the end", async () => {
  const complete = (client: typeof ground.board) => () => client.runs.complete({ ...at(order), body: succeeded });
  await ground.refused("agent_credential_required", complete(ground.board));
  const key = await ground.key(order.agentId);
  await ground.refused("forbidden", complete(key));
  await ground.wake((await company.agent({ name: "Bo" })).id);
  await ground.refused("forbidden", complete(ground.inRun(await runner.begin())));
  const stranger = await ground.key((await (await ground.company()).agent()).id);
  await ground.refused("other_company", complete(stranger));
  await runner.settle(order);
  await ground.refused("run_ended", complete(ground.inRun(order)));
});

test("P11: the credential of the run in what it says is refused", async () => {
  const body = { status: "failed", message: `I am ${order.service["SERVICE_API_KEY"]}` } as const;
  await ground.refused("secret_in_text", () => ground.inRun(order).runs.complete({ ...at(order), body }));
});

test("P11: of a secret that the run was started with nothing is kept, in whatever form it is said", async () => {
  const secret = "the-word-nobody-may-know";
  const worker = await company.agent({ adapterConfig: { command: "/bin/true", env: { VAULT_PASSWORD: secret } } });
  await ground.wake(worker.id);
  const its = await runner.begin();
  expect(its.env["VAULT_PASSWORD"]).toBe(secret);
  const base64 = Buffer.from(secret).toString("base64");
  const body = { ...succeeded, message: `I used ${secret}.`, result: { seen: [`as ${base64}`] } };
  await ground.inRun(its).runs.complete({ ...at(its), body });
  const { items } = await ground.board.runs.events({ ...at(its), query: {} });
  expect(items[0]?.data).toMatchObject({ text: "I used [redacted].", result: { seen: ["as [redacted]"] } });
});
