import type { Agent, Company } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";

describe("an agent's configuration", () => {
  let server: TestServer;
  let company: Company;
  beforeAll(async () => {
    server = await startTestServer();
    company = await server.board.companies.create({ body: { name: "Configured" } });
  });
  afterAll(() => server.close());

  const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
  const params = () => ({ companyId: company.id });
  const create = (name: string, env: Record<string, string> = {}): Promise<Agent> =>
    server.board.agents.create({
      params: params(),
      body: { name, adapterType: "process", adapterConfig: { command: "true", args: ["a"], env } },
    });
  const skill = (text: string) =>
    server.board.skills.import({
      params: params(),
      body: { files: { "SKILL.md": `---\nname: review\ndescription: Reviews code\n---\n${text}` } },
    });
  const storedConfig = async (agentId: string) => {
    const [row] = await server.database.driver<{ config: Record<string, unknown> }[]>`
      select adapter_config as config from agents where id = ${agentId}`;
    return row?.config;
  };

  test("P10: every change of behaviour is a revision with the paths it changed; a change of name is none", async () => {
    const { id: agentId } = await create("Ada");
    await server.board.agents.change({ params: { agentId }, body: { name: "Ada L." } });
    await server.board.agents.change({
      params: { agentId },
      body: { budgetMonthlyCents: 500, adapterConfig: { cwd: "/tmp" } },
    });
    const { items } = await server.board.configurations.listRevisions({ params: { agentId } });
    expect(items.map(({ number, source, changed }) => ({ number, source, changed }))).toEqual([
      { number: 2, source: "update", changed: ["adapterConfig.cwd", "budgetMonthlyCents"] },
      { number: 1, source: "create", changed: [] },
    ]);
  });

  test("P10: rolling back works from any later state, gives the same content hash, and is itself a revision", async () => {
    const { id: agentId } = await create("Bea", { TOKEN: secret });
    const first = (await server.board.configurations.get({ params: { agentId } })).revision;
    const other = `ghp_${"z9Y8x7W6v5U4t3S2r1Q0".repeat(2).slice(0, 36)}`;
    await server.board.agents.change({ params: { agentId }, body: { adapterConfig: { env: { TOKEN: other } } } });
    await server.board.agents.change({
      params: { agentId },
      body: { adapterType: "http", adapterConfig: { url: "https://example.com/run" } },
    });
    const { agent, revision } = await server.board.configurations.rollback({
      params: { agentId, revisionId: first.id },
    });
    expect(revision).toMatchObject({ number: 4, source: "rollback", contentHash: first.contentHash });
    expect(agent).toMatchObject({ adapterType: "process", revisionNumber: 4 });
    expect(await storedConfig(agentId)).toMatchObject({ env: { TOKEN: { type: "secret_ref", version: 1 } } });
    const { items } = await server.board.activity.list({ params: params(), query: { entityId: agentId, limit: 1 } });
    expect(items[0]?.sentence).toBe("The board rolled the agent Bea back to revision 1");
  });

  test("P11: a secret in env is in the secret store alone, and a reader sees a reference", async () => {
    const { id: agentId } = await create("Cleo", { GITHUB_TOKEN: secret, LEVEL: "debug" });
    const { adapterConfig } = await server.board.configurations.get({ params: { agentId } });
    expect(adapterConfig).toMatchObject({ env: { LEVEL: "debug", GITHUB_TOKEN: { type: "secret_ref", version: 1 } } });
    expect(JSON.stringify(await storedConfig(agentId))).not.toContain(secret);
    const { items } = await server.board.secrets.list({ params: params() });
    expect(items.map(({ name }) => name)).toContain("agents/cleo/GITHUB_TOKEN");
  });

  test("saving what was read changes nothing and drops nothing", async () => {
    const { id: agentId } = await create("Dora", { GITHUB_TOKEN: secret });
    const read = await server.board.agents.get({ params: { agentId } });
    const { adapterConfig, runtimeConfig, permissions, budgetMonthlyCents } = read;
    const saved = await server.board.agents.change({
      params: { agentId },
      body: { adapterConfig, runtimeConfig, permissions, budgetMonthlyCents },
    });
    expect(saved).toEqual(read);
    expect(saved.revisionNumber).toBe(1);
  });

  test("a secret outside env is refused, with the entry to use instead", async () => {
    const call = server.board.agents.create({
      params: params(),
      body: { name: "X", adapterType: "process", adapterConfig: { command: "true", apiKey: "hunter2-hunter2" } },
    });
    await expect(call).rejects.toMatchObject({
      code: "secret_in_text",
      details: [{ path: "adapterConfig.apiKey" }],
      fix: { adapterConfig: { env: {} } },
    });
  });

  test("a placeholder where nothing is stored is refused with its path", async () => {
    const { id: agentId } = await create("Elsa");
    const body = { adapterConfig: { env: { NEW: "[redacted]" } } };
    await expect(server.board.agents.change({ params: { agentId }, body })).rejects.toMatchObject({
      code: "redacted_placeholder",
      details: [{ path: "adapterConfig.env.NEW" }],
    });
    const creation = create("Fay", { A: "[redacted]" });
    await expect(creation).rejects.toMatchObject({ code: "redacted_placeholder" });
  });

  test("skills run at the version they were synced to, and say when a newer one is there", async () => {
    await skill("First.");
    const { id: agentId } = await create("Gwen");
    const { syncSkills, getSkills, listRevisions } = server.board.configurations;
    const synced = await syncSkills({ params: { agentId }, body: { desiredSkills: ["review"] } });
    expect(synced).toMatchObject({ desiredSkills: ["local/review"], skills: [{ state: "synced" }] });
    await skill("Second.");
    expect((await getSkills({ params: { agentId } })).skills).toMatchObject([{ state: "drifted" }]);
    expect((await syncSkills({ params: { agentId }, body: {} })).skills).toMatchObject([{ state: "synced" }]);
    await syncSkills({ params: { agentId }, body: {} });
    const { items } = await listRevisions({ params: { agentId } });
    expect(items.map(({ source }) => source)).toEqual(["skills_sync", "skills_sync", "create"]);
  });

  test("only a prompt makes an instructions file of it", async () => {
    const agent = await server.board.agents.create({
      params: params(),
      body: { name: "Hal", adapterType: "process", adapterConfig: { command: "true", promptTemplate: "Be kind." } },
    });
    expect(agent.instructionsBundle).toEqual({ entryFile: "AGENTS.md", files: { "AGENTS.md": "Be kind." } });
  });

  test("two revisions are compared by path, and another agent's revision is not found", async () => {
    const { id: agentId } = await create("Ida");
    await server.board.agents.change({ params: { agentId }, body: { adapterConfig: { args: ["b"] } } });
    const [second, first] = (await server.board.configurations.listRevisions({ params: { agentId } })).items;
    const { differences } = await server.board.configurations.diff({
      params: { agentId, revisionId: second?.id ?? "" },
    });
    expect(differences).toEqual([{ path: "adapterConfig.args", before: ["a"], after: ["b"] }]);
    const { id: otherId } = await create("Joan");
    const call = server.board.configurations.getRevision({ params: { agentId: otherId, revisionId: first?.id ?? "" } });
    await expect(call).rejects.toMatchObject({ status: 404, code: "not_found" });
  });

  test("blame names the revision that made a field what it is: the newest that changed it, or something in or around it", async () => {
    const { id: agentId } = await create("Kim");
    const { agents, configurations } = server.board;
    const change = (body: object) => agents.change({ params: { agentId }, body });
    await change({ adapterConfig: { args: ["b"], cwd: "/srv" }, budgetMonthlyCents: 5 });
    await change({ instructionsBundle: { files: { "AGENTS.md": "Be kind." } }, adapterConfig: { cwd: null } });
    await change({ instructionsBundle: { files: { "AGENTS.md": "Be kind.", "a.b/more.md": "More." } } });
    await change({ adapterConfig: { env: { DEPLOY_TOKEN: "a-value-that-is-secret" } } });
    const of = async (path: string) => {
      const { value, revision } = await configurations.blame({ params: { agentId }, query: { path } });
      return [revision.number, value];
    };
    expect(await of("adapterConfig.command")).toEqual([1, "true"]);
    expect(await of("adapterConfig.args")).toEqual([2, ["b"]]);
    expect(await of("budgetMonthlyCents")).toEqual([2, 5]);
    expect(await of("adapterConfig.cwd")).toEqual([3, null]);
    expect(await of("instructionsBundle.files.AGENTS.md")).toEqual([3, "Be kind."]);
    expect(await of("instructionsBundle.files.a.b/more.md")).toEqual([4, "More."]);
    expect(await of("instructionsBundle.entryFile")).toEqual([3, "AGENTS.md"]);
    expect((await of("adapterConfig"))[0]).toBe(5);
    expect(await of("adapterConfig.env.DEPLOY_TOKEN")).toEqual([5, expect.objectContaining({ type: "secret_ref" })]);
    const { revision } = await configurations.blame({ params: { agentId }, query: { path: "adapterConfig.args" } });
    expect(revision).toMatchObject({ source: "update", actor: { kind: "user" } });
    const misspelt = configurations.blame({ params: { agentId }, query: { path: "adapterConfg.args" } });
    await expect(misspelt).rejects.toMatchObject({
      code: "invalid_request",
      details: [{ path: "path", nearest: "adapterConfig" }],
    });
    const never = configurations.blame({ params: { agentId }, query: { path: "adapterConfig.model" } });
    await expect(never).rejects.toMatchObject({ code: "invalid_request" });
  });
});
