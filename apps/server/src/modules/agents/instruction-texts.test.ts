import type { JsonObject } from "@roster/contract";
import { applyPatch } from "diff";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";

describe("the difference of instructions as text", () => {
  let server: TestServer;
  let companyId: string;
  beforeAll(async () => {
    server = await startTestServer();
    companyId = (await server.board.companies.create({ body: { name: "Instructed" } })).id;
  });
  afterAll(() => server.close());

  const create = (name: string, more: object = {}) =>
    server.board.agents.create({
      params: { companyId },
      body: { name, adapterType: "process", adapterConfig: { command: "true" }, ...more },
    });
  const change = (agentId: string, body: object) => server.board.agents.change({ params: { agentId }, body });
  const files = (own: Record<string, string>) => ({ instructionsBundle: { files: own, entryFile: "AGENTS.md" } });
  const revisionsOf = async (agentId: string) =>
    (await server.board.configurations.listRevisions({ params: { agentId } })).items;
  /** How the newest revision differs from the one before, or from the one with this number. */
  const diff = async (agentId: string, against?: number) => {
    const revisions = await revisionsOf(agentId);
    const other = revisions.find(({ number }) => number === against);
    return server.board.configurations.diff({
      params: { agentId, revisionId: revisions[0]?.id ?? "" },
      query: other === undefined ? {} : { against: other.id },
    });
  };
  const at = (name: string): string => `instructionsBundle.files.${name}`;

  test("of a revision: files that changed, came, went and were renamed, and the prompt; nothing else", async () => {
    const { id } = await create(
      "Ada",
      files({ "AGENTS.md": "Be kind.\nBe quick.\n", "old.md": "Old.\n", "how/to.md": "So.\r\n" }),
    );
    await change(id, {
      ...files({ "AGENTS.md": "Be kind.\nBe careful.", "new.md": "New.\n", "how/it.is.md": "So.\r\n" }),
      adapterConfig: { promptTemplate: "Go on.", cwd: "/srv" },
    });
    const { differences, texts } = await diff(id);
    expect(differences.map(({ path }) => path)).toContain("adapterConfig.cwd");
    expect(texts).toEqual([
      {
        path: "adapterConfig.promptTemplate",
        previousPath: null,
        isWhole: false,
        unified:
          "--- /dev/null\n+++ adapterConfig.promptTemplate\n@@ -0,0 +1,1 @@\n+Go on.\n\\ No newline at end of file\n",
      },
      {
        path: at("AGENTS.md"),
        previousPath: null,
        isWhole: false,
        unified: [
          `--- ${at("AGENTS.md")}`,
          `+++ ${at("AGENTS.md")}`,
          "@@ -1,2 +1,2 @@",
          " Be kind.",
          "-Be quick.",
          "+Be careful.",
          "\\ No newline at end of file",
          "",
        ].join("\n"),
      },
      {
        path: at("how/it.is.md"),
        previousPath: at("how/to.md"),
        isWhole: false,
        unified: `--- ${at("how/to.md")}\n+++ ${at("how/it.is.md")}\n`,
      },
      expect.objectContaining({
        path: at("new.md"),
        unified: expect.stringMatching(/^--- \/dev\/null\n.*\n.*\n\+New\.\n$/),
      }),
      expect.objectContaining({
        path: at("old.md"),
        unified: expect.stringMatching(/\n\+\+\+ \/dev\/null\n.*\n-Old\.\n$/),
      }),
    ]);
  });

  test("of the first revision, of one that left the texts alone, of one that dropped them all, and of one against itself", async () => {
    const { id } = await create("Bea", files({ "AGENTS.md": "First.\n" }));
    expect((await diff(id)).texts).toMatchObject([
      { path: at("AGENTS.md"), unified: expect.stringMatching(/\+First\.\n$/) },
    ]);
    await change(id, { budgetMonthlyCents: 5 });
    expect((await diff(id)).texts).toEqual([]);
    await change(id, { instructionsBundle: null });
    expect((await diff(id)).texts).toMatchObject([{ unified: expect.stringMatching(/-First\.\n$/) }]);
    expect(await diff(id, 3)).toEqual({ differences: [], texts: [] });
  });

  test("of half a MiB that is all others comes at once, whole, and leads from the one text to the other", async () => {
    const long = (letter: string): string => Array.from({ length: 40_000 }, (_, n) => `${letter}${n}\n`).join("");
    const { id } = await create("Cleo", files({ "AGENTS.md": long("a") }));
    await change(id, files({ "AGENTS.md": long("b") }));
    const [text] = (await diff(id)).texts;
    expect(text?.isWhole).toBe(true);
    expect(applyPatch(long("a"), text?.unified ?? "")).toBe(long("b"));
  });

  test("P11: shows no secret, not even of a text that was stored before its shape was known", async () => {
    const { id } = await create("Dora", files({ "AGENTS.md": "The token is T.\nKeep it.\n" }));
    await change(id, files({ "AGENTS.md": "The token is T.\nKeep it well.\n" }));
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    await server.database.driver`
      update agent_revisions set content = replace(content::text, 'token is T', ${`token is ${token}`})::jsonb
      where agent_id = ${id}`;
    const { texts } = await diff(id);
    expect(JSON.stringify(texts)).not.toContain(token);
    expect(texts).toMatchObject([
      { unified: expect.stringContaining(" The token is [redacted].\n-Keep it.\n+Keep it well.\n") },
    ]);
  });

  test("of a payload that was resubmitted: of a hire and of a proposed change", async () => {
    const { id: agentId } = await create("Eve", {
      permissions: { canCreateAgents: true, canManageSkills: false, canAssignTasks: false },
    });
    const { token } = await server.board.agentKeys.create({ params: { agentId }, body: {} });
    const agent = server.as(token ?? "");
    const { approvals } = server.board;
    const resubmitted = async (approvalId: string, payload: JsonObject) => {
      await approvals.requestRevision({ params: { approvalId }, body: { decisionNote: "Other words, please" } });
      await agent.approvals.resubmit({ params: { approvalId }, body: { payload } });
      return (await approvals.diff({ params: { approvalId } })).texts;
    };

    const hire = {
      name: "Fay",
      adapterType: "process",
      adapterConfig: { command: "true" },
      ...files({ "AGENTS.md": "Be kind.\n" }),
    };
    const { approval } = await agent.hires.request({ params: { companyId }, body: hire });
    expect(
      await resubmitted(approval?.id ?? "", { instructionsBundle: { files: { "AGENTS.md": "Be brief.\n" } } }),
    ).toMatchObject([{ path: at("AGENTS.md"), unified: expect.stringMatching(/\n-Be kind\.\n\+Be brief\.\n$/) }]);

    const proposed = { agentId, patch: files({ "AGENTS.md": "Work.\n" }) };
    const question = await agent.approvals.request({
      params: { companyId },
      body: { type: "config_change", payload: proposed },
    });
    const patch = { instructionsBundle: { files: { "AGENTS.md": "Work well.\n" }, entryFile: "AGENTS.md" } };
    expect(await resubmitted(question.id, { patch })).toMatchObject([
      { path: `patch.${at("AGENTS.md")}`, unified: expect.stringMatching(/\n-Work\.\n\+Work well\.\n$/) },
    ]);
  });
});
