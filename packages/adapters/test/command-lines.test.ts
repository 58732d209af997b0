import { type CheckHost, type Finding, SettingsError } from "@roster/adapter";
import { guarantees } from "@roster/adapter/conformance";
import { describe, expect, it, test } from "vitest";
import { findAdapter } from "../src/index.ts";
import { findAdapterSpec } from "../src/specs.ts";
import { dataOf, orderWith, recorded, understood } from "./recorded.ts";

const programs = [
  {
    type: "claude_local",
    name: "claude-code",
    settings: [
      { allowedTools: ["Bash(git *)"], disallowedTools: ["WebSearch"], dangerouslySkipPermissions: false },
      { extraArgs: ["--add-dir", "/srv/shared"], effort: "high" },
    ],
  },
  {
    type: "codex_local",
    name: "codex",
    settings: [
      { dangerouslyBypassApprovalsAndSandbox: false, sandboxMode: "workspace-write", sandboxNetworkAccess: true },
      { search: true, env: { CODEX_HOME: "/srv/codex" } },
    ],
  },
  { type: "gemini_local", name: "gemini", settings: [{ approvalMode: "plan" }] },
  { type: "opencode_local", name: "opencode", settings: [{ approveAll: false, agent: "build", variant: "high" }] },
];

describe.each(programs)("$type keeps what every adapter guarantees:", ({ type, name, settings }) => {
  const adapter = findAdapter(type) ?? expect.fail(`no adapter ${type}`);
  const spec = findAdapterSpec(type) ?? expect.fail(`no spec ${type}`);
  for (const guarantee of guarantees({ adapter, spec, sample: recorded(`${name}-work`), settings })) {
    it(guarantee.name, guarantee.verify);
  }
});

const adapterOf = (type: string) => findAdapter(type) ?? expect.fail(`no adapter ${type}`);

describe.each(programs)("$type", ({ type, name }) => {
  test("tells its session, what it did and said, and that it went well", () => {
    const { events, outcome } = understood(type, `${name}-work`);
    expect(outcome.code).toBe("ok");
    expect(dataOf(events, "session")[0]).toMatchObject({ id: expect.stringMatching(/^[\w-]{30,}$/) });
    expect(dataOf(events, "tool_call")).toMatchObject([{ input: { command: expect.stringContaining("echo hi") } }]);
    const [call] = dataOf(events, "tool_call") as { id: string }[];
    expect(dataOf(events, "tool_result")).toMatchObject([{ id: call?.id, isError: false }]);
    expect(JSON.stringify(dataOf(events, "tool_result"))).toContain("hi");
    expect(dataOf(events, "message")).toContainEqual({ text: "It is done." });
  });

  test("a conversation that is not there any more is begun anew, once; without one there is nothing to begin anew", () => {
    const session = { id: "11111111-1111-4111-8111-111111111111" };
    const lost = understood(type, `${name}-lost-session`, { session, exitCode: 1 });
    expect(lost.outcome).toMatchObject({ code: "agent_error", startsFresh: true });
    expect(lost.events.filter(({ kind }) => kind === "session")).toEqual([]);
    expect(understood(type, `${name}-lost-session`, { exitCode: 1 }).outcome).not.toHaveProperty("startsFresh");
  });

  test("a key that the provider refuses is for a person to mend, also with a session to go on from", () => {
    for (const session of [null, { id: "1" }]) {
      const { outcome } = understood(type, `${name}-unauthorized`, { session, exitCode: 1 });
      expect(outcome).toMatchObject({ code: "auth_failed" });
      expect(outcome).not.toHaveProperty("startsFresh");
    }
  });

  test("a session goes into the arguments, the prompt does not", () => {
    const { args, stdin } = adapterOf(type).program(orderWith({ session: { id: "the-session" } }));
    expect(args).toContain("the-session");
    expect(stdin).toBe("Do it.");
  });

  test("further arguments are handed on, but none that the adapter makes", () => {
    const program = (extraArgs: string[]) => adapterOf(type).program(orderWith({ settings: { extraArgs } }));
    expect(program(["--further", "one"]).args).toEqual(expect.arrayContaining(["--further", "one"]));
    expect(() => program(["--model=other"])).toThrow(SettingsError);
  });

  test("what is missing is found: the folder, the program, its version, a login or a key", async () => {
    const host: CheckHost = {
      findCommand: async () => "/usr/bin/program",
      isFolder: async () => true,
      isFile: async () => true,
      ask: async () => "1.2.3",
      whyClosed: async () => null,
      environment: { HOME: "/home/ada" },
    };
    const check = (more: Partial<CheckHost>): Promise<readonly Finding[]> =>
      Promise.resolve(adapterOf(type).check({ cwd: "/srv/work" }, { ...host, ...more }));
    expect(await check({})).toEqual([]);
    expect(await check({ isFolder: async () => false })).toMatchObject([{ severity: "error" }]);
    expect(await check({ findCommand: async () => null })).toMatchObject([{ severity: "error" }]);
    expect(await check({ ask: null })).toEqual([]);
    for (const ask of [async () => null, async () => "usage: program"]) {
      expect(await check({ ask })).toMatchObject([{ severity: "warning" }]);
    }
    expect(await check({ isFile: async () => false })).toMatchObject([{ severity: "warning" }]);
  });
});

describe("usage", () => {
  const used = { inputTokens: 200, cachedInputTokens: 20, outputTokens: 10 };

  test("is told with its model, and with its cost where the program says one", () => {
    const usageOf = (type: string, name: string, settings = {}) =>
      dataOf(understood(type, name, { settings }).events, "usage");
    expect(usageOf("claude_local", "claude-code-work")).toEqual([
      { provider: "anthropic", model: "claude-sonnet-5", ...used, costMicros: 756 },
    ]);
    expect(usageOf("codex_local", "codex-work", { model: "gpt-5" })).toEqual([
      { provider: "openai", model: "gpt-5", ...used },
    ]);
    expect(usageOf("gemini_local", "gemini-work")).toEqual([
      { provider: "google", model: "gemini-2.5-flash", ...used },
    ]);
    const model = "anthropic/claude-sonnet-4-5";
    const step = { inputTokens: 100, cachedInputTokens: 10, outputTokens: 5, costMicros: 378 };
    const booked = { provider: "anthropic", model: "claude-sonnet-4-5", ...step };
    expect(usageOf("opencode_local", "opencode-work", { model })).toEqual([booked, booked]);
  });

  test("Codex counts a conversation from its beginning: a run that goes on with one tells what it used itself", () => {
    const [, session] = dataOf(understood("codex_local", "codex-work").events, "session");
    expect(session).toMatchObject(used);
    const resumed = (before: Record<string, unknown>) =>
      dataOf(understood("codex_local", "codex-resumed", { session: before }).events, "usage");
    const own = { inputTokens: 100, cachedInputTokens: 10, outputTokens: 5 };
    expect(resumed(session as Record<string, unknown>)).toEqual([{ provider: "openai", ...own }]);
    // A version that counts each run by itself says less than there was before.
    const more = { id: "1", inputTokens: 9000, cachedInputTokens: 0, outputTokens: 0 };
    expect(resumed(more)).toMatchObject([{ inputTokens: 300, cachedInputTokens: 30, outputTokens: 15 }]);
  });

  test("of a run of Claude Code that was ended is what its answers said, each counted once", () => {
    const translator = adapterOf("claude_local").translator(orderWith());
    const lines = recorded("claude-code-work").filter(({ text }) => !text.includes('"type":"result"'));
    const twice = lines.flatMap((line) => [line, line]);
    const told = twice.flatMap(({ stream, text }) => translator.line(stream, text) ?? []);
    expect(dataOf(told, "usage")).toEqual([]);
    const both = { inputTokens: 200, cachedInputTokens: 20, outputTokens: 0 };
    const model = "claude-sonnet-5";
    expect(dataOf(translator.end?.() ?? [], "usage")).toEqual([{ provider: "anthropic", model, ...both }]);
  });
});

describe("endings", () => {
  test.each([
    ["claude_local", "claude-code-rate-limit", { code: "rate_limited", retryAfterSec: 2 }],
    ["claude_local", "claude-code-budget", { code: "budget_exhausted" }],
    ["codex_local", "codex-rate-limit", { code: "rate_limited" }],
    ["opencode_local", "opencode-rate-limit", { code: "rate_limited" }],
  ])("%s: %s", (type, name, expected) => {
    expect(understood(type, name, { exitCode: 1 }).outcome).toMatchObject(expected);
  });

  test("a limit of Claude Code's that says when it ends is waited for until then", () => {
    const translator = adapterOf("claude_local").translator(orderWith());
    const info = { status: "rejected", resetsAt: 1_800_000_000, rateLimitType: "five_hour" };
    translator.line("stdout", JSON.stringify({ type: "rate_limit_event", rate_limit_info: info }));
    const message = { content: [{ type: "text", text: "You've hit your session limit" }] };
    translator.line("stdout", JSON.stringify({ type: "assistant", message, error: "rate_limit" }));
    translator.line(
      "stdout",
      JSON.stringify({ type: "result", is_error: true, api_error_status: 429, result: "Limit" }),
    );
    const outcome = translator.outcome({ exitCode: 1, signal: null });
    expect(outcome).toMatchObject({ code: "rate_limited", retryAtMs: 1_800_000_000_000 });
  });

  test("what was refused on the way and then went well is a success", () => {
    const translator = adapterOf("claude_local").translator(orderWith());
    const lines = [...recorded("claude-code-unauthorized").slice(0, -1), ...recorded("claude-code-work")];
    for (const { stream, text } of lines) translator.line(stream, text);
    expect(translator.outcome({ exitCode: 0, signal: null }).code).toBe("ok");
  });

  test("words on standard error say what is wrong where the program says nothing else", () => {
    const outcomeOf = (words: string) => {
      const translator = adapterOf("gemini_local").translator(orderWith());
      translator.line("stderr", words);
      return translator.outcome({ exitCode: 41, signal: null });
    };
    const missing = "When using Gemini API, you must specify the GEMINI_API_KEY environment variable.";
    expect(outcomeOf(missing).code).toBe("auth_failed");
    expect(outcomeOf("429: try again in 1 hour 5 minutes")).toMatchObject({
      code: "rate_limited",
      retryAfterSec: 3900,
    });
    expect(outcomeOf("Segmentation fault")).toEqual({
      code: "agent_error",
      message: "Gemini CLI failed: Segmentation fault.",
    });
  });
});

describe("instructions and skills are where each program looks for them, and never in the working folder:", () => {
  const files = { instructionsFile: "/srv/files/instructions/START.md", skillsFolder: "/srv/files/skills" };
  const program = (type: string, environment = { HOME: "/home/ada" }) =>
    adapterOf(type).program(orderWith({ ...files, environment }));

  test("Claude Code adds the file to its system prompt and finds skills in an added folder; the account's login stays", () => {
    const { args, env, places } = program("claude_local");
    expect(args).toEqual(expect.arrayContaining(["--append-system-prompt-file", files.instructionsFile]));
    expect(args.slice(0, 3)).toEqual(["--add-dir", "/srv/own", "/srv/files/instructions"]);
    expect(places).toEqual([{ path: ".claude/skills", to: files.skillsFolder }]);
    expect(env).not.toHaveProperty("CLAUDE_CONFIG_DIR");
  });

  test("Codex has a home of its own that links to the account's login, unless the agent names one", () => {
    const own = program("codex_local");
    expect(own.env).toEqual({ CODEX_HOME: "/srv/own/codex" });
    expect(own.places).toEqual(
      expect.arrayContaining([
        { path: "codex/auth.json", to: "/home/ada/.codex/auth.json" },
        { path: "codex/sessions", to: "/home/ada/.codex/sessions", isFolder: true },
        { path: "codex/AGENTS.md", to: files.instructionsFile },
        { path: "codex/skills", to: files.skillsFolder },
      ]),
    );
    const environment = { HOME: "/home/ada", CODEX_HOME: "/srv/codex" };
    const given = program("codex_local", environment);
    expect(given.env).toEqual({});
    expect(given.places ?? []).toEqual([]);
    expect(given.stdin).toContain(files.instructionsFile);
    expect(given.stdin).toContain(files.skillsFolder);
  });

  test("Gemini CLI is told by the prompt, and may read both folders", () => {
    const { args, stdin } = program("gemini_local");
    expect(stdin).toMatch(/^Your instructions are in the file .*START\.md\..*SKILL\.md.*Do it\.$/s);
    expect(args).toEqual(expect.arrayContaining(["/srv/files/instructions", files.skillsFolder]));
  });

  test("OpenCode has a configuration folder of the run, unless the agent names one", () => {
    const { env, places, stdin } = program("opencode_local");
    expect(env).toMatchObject({ OPENCODE_CONFIG_DIR: "/srv/own/program" });
    expect(places).toEqual([
      { path: "program/opencode.json", text: JSON.stringify({ instructions: [files.instructionsFile] }) },
      { path: "program/skills", to: files.skillsFolder },
    ]);
    expect(stdin).toBe("Do it.");
    const environment = { HOME: "/home/ada", OPENCODE_CONFIG_DIR: "/srv/opencode" };
    const given = program("opencode_local", environment);
    expect(given.env).not.toHaveProperty("OPENCODE_CONFIG_DIR");
    expect(given.stdin).toContain(files.instructionsFile);
  });
});

test("a run that may cost only so much hands that to Claude Code as its limit", () => {
  const { args } = adapterOf("claude_local").program(orderWith({ capMicros: 250_000 }));
  expect(args).toEqual(expect.arrayContaining(["--max-budget-usd", "0.250000"]));
});

test("Gemini CLI's pieces of a message become one", () => {
  const translator = adapterOf("gemini_local").translator(orderWith());
  const piece = (content: string) => JSON.stringify({ type: "message", role: "assistant", content, delta: true });
  expect(translator.line("stdout", piece("It is "))).toEqual([]);
  expect(translator.line("stdout", piece("done."))).toEqual([]);
  expect(translator.end?.()).toEqual([{ kind: "message", data: { text: "It is done." } }]);
  expect(translator.end?.()).toEqual([]);
});
