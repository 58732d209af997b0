import type { JsonObject } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";

describe("rotating the value of a secret", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
    company = await ground.company();
    runner = await company.runner();
  });
  afterAll(() => ground.close());

  const old = "the value of before";
  const rotated = "the value of afterwards";
  const store = async (name: string): Promise<string> => {
    const { id } = await ground.board.secrets.create({ params: { companyId: company.id }, body: { name, value: old } });
    return id;
  };
  const rotate = (secretId: string, value = rotated) =>
    ground.board.secrets.rotate({ params: { secretId }, body: { value } });
  const reference = (secretId: string, version: number | "latest") => ({ type: "secret_ref", secretId, version });
  const agentWith = (name: string, env: JsonObject) => company.agent({ name, adapterConfig: { command: "true", env } });
  /** What a run of the agent that begins now is given as its token. */
  const tokenOf = async (agentId: string): Promise<string | undefined> => {
    await ground.wake(agentId);
    const order = await runner.begin();
    expect(order.secrets).toContain(order.env["TOKEN"]);
    await runner.settle(order);
    return order.env["TOKEN"];
  };
  const change = (agentId: string, TOKEN: unknown) =>
    ground.board.agents.change({ params: { agentId }, body: { adapterConfig: { env: { TOKEN } as JsonObject } } });
  const revisionsOf = async (agentId: string) =>
    (await ground.board.configurations.listRevisions({ params: { agentId } })).items;
  const rollBack = async (agentId: string, number: number) => {
    const to = (await revisionsOf(agentId)).find((one) => one.number === number);
    await ground.board.configurations.rollback({ params: { agentId, revisionId: to?.id ?? "" } });
  };

  test("reaches whoever refers to the latest with the next run, without a change of the agent", async () => {
    const secretId = await store("shared/latest");
    const { id } = await agentWith("Ada", { TOKEN: reference(secretId, "latest") });
    expect(await tokenOf(id)).toBe(old);
    await rotate(secretId);
    expect(await tokenOf(id)).toBe(rotated);
    expect(await revisionsOf(id)).toHaveLength(1);
  });

  test("does not reach a run under way: asked again for its order, that has the value it was claimed with", async () => {
    const secretId = await store("shared/under-way");
    const { id } = await agentWith("Bea", { TOKEN: reference(secretId, "latest") });
    await ground.wake(id);
    const { runId, epoch, env } = await runner.begin();
    await rotate(secretId);
    const again = await runner.client.runners.order({ params: { runId }, query: { epoch } });
    expect([env["TOKEN"], again.order.env["TOKEN"]]).toEqual([old, old]);
    await runner.settle({ runId, epoch });
  });

  test("does not reach who pins a version: taking the new one is a revision, and rolling that back brings the old one", async () => {
    const secretId = await store("shared/pinned");
    const { id } = await agentWith("Cleo", { TOKEN: reference(secretId, 1) });
    await rotate(secretId);
    expect(await tokenOf(id)).toBe(old);
    await change(id, { version: 2 });
    expect(await tokenOf(id)).toBe(rotated);
    expect((await revisionsOf(id))[0]).toMatchObject({ number: 2, changed: ["adapterConfig.env.TOKEN.version"] });
    await rotate(secretId, "a third value of it");
    await rollBack(id, 1);
    expect(await tokenOf(id)).toBe(old);
    await rollBack(id, 2);
    expect(await tokenOf(id)).toBe(rotated);
    const [newest, , , first] = await revisionsOf(id);
    expect(newest?.contentHash).not.toBe(first?.contentHash);
    const params = { agentId: id, revisionId: newest?.id ?? "" };
    const { differences } = await ground.board.configurations.diff({ params, query: { against: first?.id ?? "" } });
    expect(differences).toEqual([{ path: "adapterConfig.env.TOKEN.version", before: 1, after: 2 }]);
  });

  test("and a rollback to a revision that refers to the latest: the value is the latest of then, not of before", async () => {
    const secretId = await store("shared/rolled-back");
    const { id } = await agentWith("Dora", { TOKEN: reference(secretId, "latest") });
    await change(id, { version: 1 });
    await rotate(secretId);
    expect(await tokenOf(id)).toBe(old);
    await rollBack(id, 1);
    expect(await tokenOf(id)).toBe(rotated);
  });

  test("of an agent's own secret by the board does not reach that agent, which pins what its env was given", async () => {
    const { id } = await agentWith("Elsa", { TOKEN: old });
    const { items } = await ground.board.secrets.list({ params: { companyId: company.id } });
    const own = items.find(({ name }) => name === "agents/elsa/TOKEN");
    await rotate(own?.id ?? "");
    expect(await tokenOf(id)).toBe(old);
    // A new text is the newest version again; the text that the newest version holds already is none.
    await change(id, "the value of later on");
    expect(await tokenOf(id)).toBe("the value of later on");
    await change(id, rotated);
    expect(await tokenOf(id)).toBe(rotated);
    expect(await ground.board.secrets.get({ params: { secretId: own?.id ?? "" } })).toMatchObject({ latestVersion: 4 });
    await rollBack(id, 1);
    expect(await tokenOf(id)).toBe(old);
  });

  test("shows no value anywhere: not in an answer, a revision, a difference or the log", async () => {
    const secretId = await store("shared/hidden");
    const { id } = await agentWith("Fay", { TOKEN: reference(secretId, 1) });
    const answers: unknown[] = [await rotate(secretId), await change(id, { version: 2 })];
    const { configurations, secrets, activity } = ground.board;
    const params = { companyId: company.id };
    for (const { id: revisionId } of await revisionsOf(id)) {
      answers.push(await configurations.getRevision({ params: { agentId: id, revisionId } }));
      answers.push(await configurations.diff({ params: { agentId: id, revisionId } }));
    }
    answers.push(
      await secrets.list({ params }),
      await secrets.get({ params: { secretId } }),
      await activity.list({ params }),
    );
    const shown = JSON.stringify(answers);
    expect(shown).toContain(secretId);
    for (const value of [old, rotated]) expect(shown).not.toContain(value);
  });
});
