import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent, Run } from "@roster/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { programs } from "./install.ts";
import { type Stage, setStage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  // As somebody who uses Gemini CLI with a key has chosen it; only with another address it would ask.
  await mkdir(join(stage.account, ".gemini"));
  const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
  await writeFile(join(stage.account, ".gemini", "settings.json"), JSON.stringify(settings));
});
afterAll(() => stage?.close());

const curl = (path: string, body: string, method = "POST"): string =>
  `curl -sS -X ${method} "$SERVICE_API_URL/api/${path}" -H "Authorization: Bearer $SERVICE_API_KEY" ` +
  `-H 'content-type: application/json' -d "${body.replaceAll('"', '\\"')}"`;
const comment = (text: string): string => curl("issues/$SERVICE_ISSUE_ID/comments", JSON.stringify({ body: text }));

type Config = Agent["adapterConfig"];

/** How each program is pointed at the scripted model. */
const adapters: Readonly<Record<keyof typeof programs, (url: string) => Config>> = {
  claude_local: (url) => ({
    model: "claude-sonnet-5",
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "scripted-key-of-claude", CLAUDE_CODE_MAX_RETRIES: "1" },
  }),
  codex_local: (url) => ({
    model: "gpt-5",
    env: { OPENAI_API_KEY: "scripted-key-of-codex" },
    extraArgs: [
      "-c",
      "model_provider=scripted",
      "-c",
      `model_providers.scripted={name="scripted",base_url="${url}/v1",env_key="OPENAI_API_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`,
    ],
  }),
  gemini_local: (url) => ({
    model: "gemini-2.5-flash",
    env: {
      GEMINI_API_KEY: "scripted-key-of-gemini",
      GOOGLE_GEMINI_BASE_URL: url,
    },
  }),
  opencode_local: (url) => ({
    model: "anthropic/claude-sonnet-4-5",
    env: {
      ANTHROPIC_API_KEY: "scripted-key-of-opencode",
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider: { anthropic: { options: { baseURL: `${url}/v1` } } } }),
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    },
  }),
};
const types = Object.keys(adapters) as (keyof typeof programs)[];

const skillText = "---\nname: greet\ndescription: How to greet people, by the word zebra.\n---\nSay hello.\n";

async function hire(adapterType: keyof typeof programs, more: Config = {}): Promise<Agent> {
  const { board, companyId, model } = stage;
  const params = { companyId };
  const { imported } = await board.skills.import({ params, body: { files: { "SKILL.md": skillText } } });
  return await board.agents.create({
    params,
    body: {
      name: `Agent ${adapterType}`,
      adapterType,
      adapterConfig: { command: programs[adapterType], ...adapters[adapterType](model.url), ...more },
      instructionsBundle: { entryFile: "START.md", files: { "START.md": "Be brief, says the pelican.\n" } },
      desiredSkills: [imported[0]?.key ?? ""],
    },
  });
}

/** What the model was told since the last time this was asked, as one text. */
let asked = 0;
function heard(): string {
  const text = JSON.stringify(stage.model.questions.slice(asked));
  asked = stage.model.questions.length;
  return text;
}
beforeEach(() => void heard());

const expectSuccess = (run: Run): void => {
  expect(run, JSON.stringify(run.cause)).toMatchObject({ status: "succeeded", cause: { code: "ok" } });
};

describe("Claude Code", () => {
  test("hires an agent with the credential of its run, is woken by the approval, goes on with its session and closes its issue", async () => {
    const { board, model, companyId } = stage;
    const agent = await hire("claude_local");
    const proposal =
      '{"name":"Grace","adapterType":"process","adapterConfig":{"command":"true"},"sourceIssueId":"$SERVICE_ISSUE_ID"}';
    model.play(
      {
        command: curl("companies/$SERVICE_COMPANY_ID/agent-hires", proposal),
        usage: { input: 1000, cached: 200, output: 50 },
      },
      (printed) => ({ text: printed.includes('"pending"') ? "I have asked for Grace." : `It was refused: ${printed}` }),
    );
    const issue = await stage.issue(agent.id, "Find somebody for the books");
    const first = await stage.nextRun(issue.id);
    expectSuccess(first);
    expect(first.usage).toMatchObject({ inputTokens: 1100, cachedInputTokens: 210, outputTokens: 55 });
    const told = heard();
    for (const word of ["pelican", "zebra", "I have asked for Grace"])
      expect(told.includes(word), word).toBe(word !== "I have asked for Grace");
    const kinds = (await stage.events(first.id)).map(({ kind }) => kind);
    for (const kind of ["session", "tool_call", "tool_result", "message", "usage", "result"])
      expect(kinds).toContain(kind);

    const { items } = await board.approvals.list({ params: { companyId }, query: { status: "pending" } });
    const [approval] = items;
    expect(approval).toMatchObject({ type: "hire_agent", requestedByAgentId: agent.id });
    model.play(
      { command: comment("The approval is $SERVICE_APPROVAL_STATUS.") },
      { command: curl("issues/$SERVICE_ISSUE_ID", '{"status":"done"}', "PATCH") },
      { text: "Grace is here; the issue is done." },
    );
    await board.approvals.approve({ params: { approvalId: approval?.id ?? "" }, body: {} });
    const second = await stage.nextRun(issue.id);
    expectSuccess(second);
    expect(second.wakes.map(({ source }) => source)).toContain("approval");
    expect(heard(), "goes on with the conversation").toContain("I have asked for Grace");
    expect((await board.issues.get({ params: { issueId: issue.id } })).status).toBe("done");
    const comments = await board.issues.listComments({ params: { issueId: issue.id } });
    expect(comments.items.map(({ body }) => body)).toContain("The approval is approved.");

    const sessions = await Promise.all([first, second].map(({ id }) => sessionOf(id)));
    expect(sessions[1]).toBe(sessions[0]);
    const costs = await board.costs.byModel({ params: { companyId } });
    expect(costs.items.find(({ model: name }) => name === "claude-sonnet-5")?.costCents).toBeGreaterThanOrEqual(1);
  });

  test("whose conversation is gone from the disk begins anew within the same run", async () => {
    const { board, model } = stage;
    const agent = await hire("claude_local");
    model.play({ text: "Remembered by the okapi." });
    const issue = await stage.issue(agent.id, "Say something");
    expectSuccess(await stage.nextRun(issue.id));
    await rm(join(stage.account, ".claude", "projects"), { recursive: true });
    heard();
    model.play({ text: "I begin anew." });
    await board.runs.wakeup({ params: { agentId: agent.id }, body: { issueId: issue.id } });
    const run = await stage.nextRun(issue.id);
    expectSuccess(run);
    expect(heard()).not.toContain("okapi");
    const texts = (await stage.events(run.id)).map(({ data, text }) => JSON.stringify(data) + text);
    expect(texts.join("\n")).toContain("No conversation found");
    expect(texts.join("\n")).toContain("I begin anew.");
  });

  test("that is refused its key fails as such and is not tried again; that is asked for patience is tried again then", async () => {
    const { model } = stage;
    const agent = await hire("claude_local");
    model.play(...Array.from({ length: 2 }, () => ({ refusal: 401, message: "invalid x-api-key" })));
    const run = await stage.nextRun((await stage.issue(agent.id, "Sign in")).id);
    expect(run.cause).toMatchObject({ code: "auth_failed", nextActor: "board" });
    await stage.board.agents.clearError({ params: { agentId: agent.id } });
    const tooMany = { refusal: 429, retryAfterSec: 1, message: "Slow down." };
    model.play(tooMany, tooMany, { text: "Now it goes." });
    const { id: issueId } = await stage.issue(agent.id, "Wait");
    const limited = await stage.nextRun(issueId);
    expect(limited.cause).toMatchObject({ code: "rate_limited", nextActor: "service" });
    const retry = await stage.nextRun(issueId);
    expectSuccess(retry);
    expect(retry.retryOf).toBe(limited.id);
  });
});

describe.each(types)("%s", (type) => {
  test("finds its instructions and skills, works by the API, reports what it used, and goes on with its session", async () => {
    const { board, model } = stage;
    const agent = await hire(type);
    model.play({ command: comment("Here I am.") }, { text: "I have said so, says the okapi." });
    const issue = await stage.issue(agent.id, "Say that you are here");
    const first = await stage.nextRun(issue.id);
    expectSuccess(first);
    const told = heard();
    expect(told).toMatch(type === "gemini_local" ? /START\.md.*SKILL\.md/ : /pelican/);
    expect(told).toMatch(type === "gemini_local" ? /skills/ : /zebra/);
    const comments = await board.issues.listComments({ params: { issueId: issue.id } });
    expect(comments.items.map(({ body }) => body)).toEqual(["Here I am."]);
    expect(first.usage).toMatchObject({ inputTokens: 200, cachedInputTokens: 20, outputTokens: 10 });

    model.play({ text: "Still here." });
    await board.runs.wakeup({ params: { agentId: agent.id }, body: { issueId: issue.id } });
    const second = await stage.nextRun(issue.id);
    expectSuccess(second);
    expect(heard(), "goes on with the conversation").toContain("okapi");
    expect(second.usage).toMatchObject({ inputTokens: 100, cachedInputTokens: 10, outputTokens: 5 });
    expect(await sessionOf(second.id)).toBe(await sessionOf(first.id));
  });

  test("is found on this machine, with its version, when it is checked", async () => {
    const agent = await hire(type);
    await expect
      .poll(async () => (await stage.board.agents.get({ params: { agentId: agent.id } })).check, { timeout: 20_000 })
      .toMatchObject({ state: "ok", findings: [] });
  });
});

async function sessionOf(runId: string): Promise<unknown> {
  const events = await stage.events(runId);
  return events.filter(({ kind }) => kind === "session").at(-1)?.data?.["id"];
}
