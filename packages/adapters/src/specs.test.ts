import { commonSettings, unknownSettings } from "@roster/adapter";
import { describe, expect, it } from "vitest";
import { adapterSpecs, findAdapterSpec } from "./specs.ts";

const example = (type: string) => findAdapterSpec(type)?.example;

function refusal(type: string, config: Record<string, unknown>) {
  const issue = findAdapterSpec(type)?.settings.safeParse({ ...example(type), ...config }).error?.issues[0];
  return issue ? { path: issue.path.join("."), message: issue.message } : null;
}

const fits = (type: string, config: Record<string, unknown>) => refusal(type, config) === null;

describe.each(adapterSpecs.map((spec) => [spec.type, spec] as const))("adapter %s", (type, spec) => {
  it("is found by its type", () => {
    expect(findAdapterSpec(type)).toBe(spec);
  });

  it("takes its own example, knows all of it and keeps what it does not know", () => {
    const config = { ...spec.example, aKeyOfTomorrow: { deep: true } };
    expect(spec.settings.parse(config)).toMatchObject(config);
    expect(unknownSettings(spec, config)).toEqual(["aKeyOfTomorrow"]);
  });

  it("describes every setting", () => {
    for (const [name, field] of Object.entries(spec.settings.shape)) {
      expect((field as { description?: string }).description, name).toMatch(/\w/);
    }
  });

  it("has the common settings", () => {
    const common = Object.keys(commonSettings.shape).filter((name) => name !== "silenceTimeoutSec");
    expect(Object.keys(spec.settings.shape)).toEqual(expect.arrayContaining(common));
  });

  it("refuses what the common settings refuse", () => {
    expect(refusal(type, { cwd: "here" })?.path).toBe("cwd");
    expect(refusal(type, { timeoutSec: 0 })?.path).toBe("timeoutSec");
    expect(refusal(type, { env: { "not a name": "x" } })?.path).toBe("env.not a name");
  });
});

it("an unknown type finds nothing", () => {
  expect(findAdapterSpec("nothing_local")).toBeNull();
});

it("types are unique", () => {
  expect(new Set(adapterSpecs.map((spec) => spec.type)).size).toBe(adapterSpecs.length);
});

describe("process", () => {
  it("needs a command", () => {
    expect(refusal("process", { command: undefined })?.path).toBe("command");
    expect(refusal("process", { command: "" })?.path).toBe("command");
  });

  it.each([
    [{ args: "--all" }, "args"],
    [{ args: ["ok", 1] }, "args.1"],
    [{ args: ["a\u0000b"] }, "args.0"],
    [{ shell: "yes" }, "shell"],
    [{ stdin: "both" }, "stdin"],
  ])("refuses %j", (config, path) => {
    expect(refusal("process", config)?.path).toBe(path);
  });
});

describe("http", () => {
  it.each([
    [{ url: "ftp://example.com" }, "url"],
    [{ url: "example.com/runs" }, "url"],
    [{ url: "https://user:word@example.com" }, "url"],
    [{ headers: { "bad header": "x" } }, "headers.bad header"],
    [{ headers: { "Content-Type": "text/plain" } }, "headers.Content-Type"],
    [{ headers: { "webhook-id": "1" } }, "headers.webhook-id"],
    [{ headers: { "x-a": "line\nbreak" } }, "headers.x-a"],
    [{ headers: { "x-a": { type: "secret_ref" } } }, "headers.x-a"],
  ])("refuses %j", (config, path) => {
    expect(refusal("http", config)?.path).toBe(path);
  });

  it("takes addresses of a private network; the runner decides what may be reached", () => {
    expect(fits("http", { url: "http://127.0.0.1:8080/runs" })).toBe(true);
  });

  it("refers to secrets in env, and only to those that are there", () => {
    const headers = { authorization: "Bearer {{env.TOKEN}}" };
    expect(fits("http", { headers, env: { TOKEN: "x" } })).toBe(true);
    expect(refusal("http", { headers, env: { OTHER: "x" } })).toEqual({
      path: "headers.authorization",
      message: "refers to TOKEN, which env does not have",
    });
    expect(fits("http", { signingSecretEnv: "KEY", env: { KEY: "x" } })).toBe(true);
    expect(refusal("http", { signingSecretEnv: "KEY" })?.path).toBe("signingSecretEnv");
  });
});

describe("claude_local", () => {
  it("needs no setting", () => {
    expect(findAdapterSpec("claude_local")?.settings.safeParse({}).success).toBe(true);
  });

  it("takes a permission mode only where it has an effect", () => {
    expect(refusal("claude_local", { permissionMode: "plan" })?.path).toBe("permissionMode");
    expect(fits("claude_local", { permissionMode: "plan", dangerouslySkipPermissions: false })).toBe(true);
  });

  it("takes further arguments, but none the adapter makes itself", () => {
    expect(fits("claude_local", { extraArgs: ["--add-dir", "/srv/shared"] })).toBe(true);
    expect(refusal("claude_local", { extraArgs: ["--add-dir", "/srv", "--model=opus"] })).toEqual({
      path: "extraArgs.2",
      message: "--model cannot be given here: use model",
    });
  });

  it.each([
    [{ effort: "extreme" }, "effort"],
    [{ maxTurnsPerRun: 0 }, "maxTurnsPerRun"],
    [{ allowedTools: "Bash" }, "allowedTools"],
    [{ resumeSession: 1 }, "resumeSession"],
  ])("refuses %j", (config, path) => {
    expect(refusal("claude_local", config)?.path).toBe(path);
  });
});

describe("codex_local", () => {
  const sandboxed = { dangerouslyBypassApprovalsAndSandbox: false, sandboxMode: "workspace-write" };

  it("takes sandbox settings only where they have an effect", () => {
    expect(fits("codex_local", { ...sandboxed, sandboxNetworkAccess: true })).toBe(true);
    expect(refusal("codex_local", { sandboxMode: "read-only" })?.path).toBe("sandboxMode");
    const readOnly = { ...sandboxed, sandboxMode: "read-only", sandboxNetworkAccess: true };
    expect(refusal("codex_local", readOnly)?.path).toBe("sandboxNetworkAccess");
  });

  it.each([
    [{ modelReasoningEffort: "very high" }, "modelReasoningEffort"],
    [{ search: "live" }, "search"],
    [{ extraArgs: ["-c", "key=value", "-s"] }, "extraArgs.2"],
  ])("refuses %j", (config, path) => {
    expect(refusal("codex_local", config)?.path).toBe(path);
  });
});
