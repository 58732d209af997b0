import { env, type RunOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everythingStored } from "../../../test/module-door.ts";
import {
  credentialOf,
  type RunGround,
  startRunGround,
  type TestCompany,
  type TestRunner,
} from "../../../test/run-ground.ts";
import { skillText } from "../../../test/skill-ground.ts";

describe("orders", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
    company = await ground.company();
    runner = await company.runner();
  });
  afterAll(() => ground.close());

  const reread = ({ runId, epoch }: RunOrder, by = runner.client) =>
    by.runners.order({ params: { runId }, query: { epoch } });
  const store = async (name: string, value: string): Promise<string> => {
    const { id } = await ground.board.secrets.create({ params: { companyId: company.id }, body: { name, value } });
    return id;
  };
  const rotate = (secretId: string, value: string) =>
    ground.board.secrets.rotate({ params: { secretId }, body: { value } });

  test("P11: the runner, and nobody else, is told the values of the secrets, with all that must not be told", async () => {
    const secretId = await store("github/token", "first-value-of-it");
    await rotate(secretId, "second-value-of-it");
    const agent = await company.agent({
      adapterConfig: {
        command: "true",
        env: {
          PLAIN: "to be seen by all",
          API_TOKEN: "a-value-that-stood-in-it",
          LATEST: { type: "secret_ref", secretId, version: "latest" },
          FIRST: { type: "secret_ref", secretId, version: 1 },
        },
      },
    });
    await ground.wake(agent.id);
    const order = await runner.begin();
    expect(order.env).toEqual({
      PLAIN: "to be seen by all",
      API_TOKEN: "a-value-that-stood-in-it",
      LATEST: "second-value-of-it",
      FIRST: "first-value-of-it",
    });
    expect(order.adapterConfig).not.toHaveProperty("env");
    const secrets = ["a-value-that-stood-in-it", "second-value-of-it", "first-value-of-it", credentialOf(order)];
    expect([...order.secrets].sort()).toEqual([...secrets].sort());
    expect((await reread(order)).order).toEqual(order);
    for (const stranger of [ground.board, await ground.key(agent.id), ground.inRun(order)]) {
      await ground.refused("forbidden", () => reread(order, stranger));
    }
    const { client: other } = await company.runner();
    await ground.refused("stale_lease", () => reread(order, other));
    await ground.refused("stale_lease", () => reread({ ...order, epoch: 2 }));
    await runner.settle(order);
    await ground.refused("stale_lease", () => reread(order));
  });

  test("P11: neither a secret nor a credential of a run is in any table, or in any line of the server's log", async () => {
    const agent = await company.agent({
      adapterConfig: { command: "true", env: { API_KEY: "nowhere-to-be-found-1" } },
    });
    await ground.wake(agent.id);
    const order = await runner.begin();
    await reread(order);
    await ground.inRun(order).agents.me();
    await ground.inRun(order).issues.create({ params: { companyId: company.id }, body: { title: "By a run" } });
    await runner.settle(order);
    await expect(ground.inRun(order).agents.me()).rejects.toMatchObject({ code: "run_ended" });
    const everything = `${await everythingStored(ground.server)}\n${ground.server.logged.join("\n")}`;
    expect(everything).toContain(order.runId);
    const [, claims = "", signature = ""] = credentialOf(order).split(".");
    for (const secret of ["nowhere-to-be-found-1", claims, signature]) expect(everything).not.toContain(secret);
  });

  test("what latest means is decided at the claim: a rotation is for the next run", async () => {
    const secretId = await store("rotated", "the-value-at-the-claim");
    const agent = await company.agent({
      adapterConfig: { command: "true", env: { TOKEN: { type: "secret_ref", secretId, version: "latest" } } },
    });
    await ground.wake(agent.id);
    const order = await runner.begin();
    await rotate(secretId, "the-value-after-it");
    const { order: again } = await reread(order);
    expect(again).toEqual(order);
    expect(again.env["TOKEN"]).toBe("the-value-at-the-claim");
    await runner.settle(order);
    await ground.wake(agent.id);
    const next = await runner.begin();
    expect(next.env["TOKEN"]).toBe("the-value-after-it");
    await runner.settle(next);
  });

  test("of an adapter without a limit for silence may be silent for as long as the run may take", async () => {
    const adapterConfig = { url: "https://agents.example.com/runs", timeoutSec: 7200 };
    await ground.wake((await company.agent({ adapterType: "http", adapterConfig })).id);
    const { limits } = await runner.begin();
    expect(limits).toEqual({ startSec: 60, silenceSec: 7200, wallSec: 7200, graceSec: 10 });
  });

  test("P10: a run has the configuration that was present when it was claimed, whole; a change is for the next", async () => {
    const { imported } = await ground.board.skills.import({
      params: { companyId: company.id },
      body: { files: { "SKILL.md": skillText("Review") } },
    });
    const [skill] = imported;
    const agent = await company.agent({
      name: "Ada",
      role: "engineer",
      adapterConfig: { command: "work", args: ["-v"], timeoutSec: 60, promptTemplate: "Go, {{agent.name}}" },
      instructionsBundle: { entryFile: "AGENTS.md", files: { "AGENTS.md": "Be brief." } },
      desiredSkills: [skill?.key ?? ""],
    });
    await ground.wake(agent.id);
    const order = await runner.begin();
    expect(order).toMatchObject({
      adapterType: "process",
      adapterConfig: { command: "work", args: ["-v"], shell: false, stdin: "prompt" },
      instructions: { entryFile: "AGENTS.md", files: { "AGENTS.md": "Be brief." } },
      skills: [{ key: skill?.key, slug: skill?.slug, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      limits: { startSec: 60, silenceSec: 1800, wallSec: 60, graceSec: 10 },
    });
    const body = {
      adapterConfig: { command: "other", timeoutSec: 30 },
      instructionsBundle: null,
      desiredSkills: [],
      runtimeConfig: { maxConcurrentRuns: 2 },
    };
    await ground.board.agents.change({ params: { agentId: agent.id }, body });
    expect((await reread(order)).order).toEqual(order);
    expect((await ground.run(order.runId)).revision?.number).toBe(1);
    await ground.wake(agent.id);
    const next = await runner.begin();
    expect(next).toMatchObject({ adapterConfig: { command: "other" }, instructions: null, skills: [] });
    expect((await ground.run(next.runId)).revision?.number).toBe(2);
    for (const one of [order, next]) await runner.settle(one);
  });

  test("the files of a skill come by the hash that the order names, and none that the company has not", async () => {
    const files = { "SKILL.md": skillText("Sum up"), "references/style.md": "In three lines.\n" };
    const { imported } = await ground.board.skills.import({ params: { companyId: company.id }, body: { files } });
    const agent = await company.agent({ desiredSkills: [imported[0]?.key ?? ""] });
    await ground.wake(agent.id);
    const order = await runner.begin();
    const params = { runId: order.runId, contentHash: order.skills[0]?.contentHash ?? "" };
    const told = await runner.client.runners.skill({ params });
    expect(Object.fromEntries(told.files.map(({ path, base64 }) => [path, atob(base64)]))).toEqual(files);
    const unknown = { ...params, contentHash: "0".repeat(64) };
    await ground.refused("not_found", () => runner.client.runners.skill({ params: unknown }));
    await runner.settle(order);
  });

  test("the prompt is the agent's template with every variable put in; what is no variable stays, and what does not apply is empty", async () => {
    const agent = await company.agent({
      name: "Ada",
      role: "engineer",
      adapterConfig: {
        command: "true",
        promptTemplate:
          "{{agent.name}}, {{ agent.role }} ({{agent.title}}) of {{company.name}}: {{run.wakeReason}} {{issue.id}} {{nothing}} {x}",
      },
    });
    const { id: issueId } = await company.issue();
    await ground.wake(agent.id, { issueId, reason: "An early reason" });
    await ground.wake(agent.id, { issueId, reason: "Pay {{agent.id}}" });
    const order = await runner.begin();
    expect(order.prompt).toBe(`Ada, engineer () of Acme Rocket Works: Pay {{agent.id}} ${issueId} {{nothing}} {x}`);
    expect(order.service[env("WAKE_REASON")]).toBe("Pay {{agent.id}}");
    await runner.settle(order);
  });

  test("an agent without a template is told who it is, why it was woken, and where the service is", async () => {
    const agent = await company.agent({ name: "Bo", role: "clerk" });
    await ground.wake(agent.id, { reason: "The post is here" });
    const order = await runner.begin();
    expect(order.prompt).toContain("You are Bo, clerk at Acme Rocket Works. You were woken: The post is here.");
    expect(order.prompt).toContain(env("API_KEY"));
    await runner.settle(order);
  });

  test("a run whose order cannot be made ends and says so; it keeps no runner from its other work", async () => {
    const late = await company.agent();
    const lost = await company.agent({
      adapterConfig: { command: "true", env: { API_TOKEN: "a-value-that-is-gone" } },
    });
    const poisoned = [await ground.wake(late.id), await ground.wake(lost.id)];
    const { id } = await ground.wake((await company.agent()).id);
    const nobody = JSON.stringify({ type: "secret_ref", secretId: lost.id, version: "latest" });
    await ground.sql`
      update agent_revisions set content = jsonb_set(content, '{adapterConfig,timeoutSec}', '"long"')
      where agent_id = ${late.id}`;
    await ground.sql`
      update agents set adapter_config = jsonb_set(adapter_config, '{env,API_TOKEN}', ${nobody}::text::jsonb)
      where id = ${lost.id}`;
    await ground.sql`
      update agent_revisions set content = jsonb_set(content, '{adapterConfig,env,API_TOKEN}', ${nobody}::text::jsonb)
      where agent_id = ${lost.id}`;
    const taken: string[] = [];
    for (let n = 0; n < 3; n += 1) taken.push(...(await runner.claim()).orders.map(({ runId }) => runId));
    expect(taken).toEqual([id]);
    for (const { id: runId, agentId } of poisoned) {
      expect(await ground.run(runId)).toMatchObject({
        status: "failed",
        cause: { code: "adapter_misconfigured", nextActor: "board" },
      });
      expect((await ground.board.agents.get({ params: { agentId } })).status).toBe("error");
    }
  });
});
