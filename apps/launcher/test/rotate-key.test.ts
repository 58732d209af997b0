import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient } from "@roster/client";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Child } from "./fixture/child.ts";
import { eventually, type House, house, type Programs, realPrograms, root } from "./fixture/house.ts";

let programs: Programs;
let here: House;
beforeAll(async () => {
  programs = await realPrograms();
  return programs.remove;
});
beforeEach(async () => {
  here = await house();
  return here.clear;
});

const rotate = (env: Readonly<Record<string, string>> = {}): Child =>
  here.run({ args: [join(root, "scripts/rotate-key.mjs")], env });
const keyFiles = async (): Promise<string[]> =>
  (await readdir(here.home)).filter((name) => name.startsWith("secrets.key")).sort();
const present = (): Promise<string> => readFile(join(here.home, "secrets.key"), "utf8");

async function launched(): Promise<Child> {
  const launcher = here.run({ args: [programs.launcher], env: {} });
  await launcher.saying("Local trusted mode");
  return launcher;
}

/** An agent that prints a part of its secret, at once and once a file is there, and asks who it is. */
async function agentOf(client: Client): Promise<{ companyId: string; agentId: string; go: () => Promise<void> }> {
  const { id: companyId } = await client.companies.create({ body: { name: "Acme" } });
  const script = [
    'printf "%s\\n" "$API_TOKEN" | cut -c1-10',
    "while ! test -e go; do sleep 0.1; done",
    'curl -sS "$SERVICE_API_URL/api/agents/me" -H "authorization: Bearer $SERVICE_API_KEY" -o me.json -w "%{http_code}\\n"',
  ];
  const adapterConfig = {
    command: "/bin/sh",
    args: ["-c", script.join("\n")],
    env: { API_TOKEN: "q7Zt3LmX0vB7nRkW5yHc2JfA9sDpEgUu" },
  };
  const { id: agentId } = await client.agents.create({
    params: { companyId },
    body: { name: "Printer", adapterType: "process", adapterConfig },
  });
  const folder = join(here.home, "runner", "work", companyId, agentId);
  const go = async (): Promise<void> => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "go"), "");
  };
  return { companyId, agentId, go };
}

describe("npm run rotate-key", () => {
  it("on a Roster that runs gives it a new key: runs go on, and agents get the same values", async () => {
    await launched();
    const client = createClient({ baseUrl: `http://localhost:${here.port}` });
    const { agentId, go } = await agentOf(client);
    const wake = async (): Promise<string> =>
      (await client.runs.wakeup({ params: { agentId }, body: {} })).run?.id ?? "";
    const logOf = async (runId: string): Promise<string> =>
      Buffer.from(await client.runs.log({ params: { runId } }).catch(() => new Uint8Array())).toString();
    const ended = (runId: string) =>
      eventually("the end of the run", async () => {
        const run = await client.runs.get({ params: { runId } }).catch(() => null);
        return run !== null && run.finishedAt !== null ? run : null;
      });
    const first = await wake();
    await eventually("its first line", async () => ((await logOf(first)).includes("\n") ? true : null));
    const before = await present();
    const { pid } = (await here.who("server")) ?? {};

    const rotation = rotate();
    expect(await rotation.ended).toEqual({ code: 0, signal: null });
    expect(rotation.said()).toMatch(
      /^The server starts again with the new key.*\nDone\. The old key stays in the home/,
    );
    expect((await here.who("server"))?.pid).not.toBe(pid);
    const kept = (await keyFiles()).filter((name) => name !== "secrets.key");
    expect(kept).toEqual([expect.stringMatching(/^secrets\.key\.[0-9a-f]{12}$/)]);
    expect(await readFile(join(here.home, kept[0] ?? ""), "utf8")).toBe(before);
    expect(await present()).not.toBe(before);

    await go();
    expect(await ended(first)).toMatchObject({ status: "succeeded" });
    expect(await logOf(first)).toBe("q7Zt3LmX0v\n200\n");
    const second = await wake();
    expect(await ended(second)).toMatchObject({ status: "succeeded" });
    expect(await logOf(second)).toBe("q7Zt3LmX0v\n200\n");
  }, 90_000);

  it("on a Roster that is stopped makes the key, and the next start seals everything with it", async () => {
    const launcher = await launched();
    const client = createClient({ baseUrl: `http://localhost:${here.port}` });
    const { companyId, agentId, go } = await agentOf(client);
    await go();
    launcher.signal("SIGTERM");
    await launcher.ended;
    const before = await present();
    for (const sentence of [
      /^The new master key is .*secrets\.key\.next\. Roster does not run/,
      /^A rotation was begun before/,
    ]) {
      const rotation = rotate();
      expect(await rotation.ended).toEqual({ code: 0, signal: null });
      expect(rotation.said()).toMatch(sentence);
    }
    expect([await keyFiles(), await present()]).toEqual([["secrets.key", "secrets.key.next"], before]);
    await launched();
    expect(await keyFiles()).toEqual(["secrets.key", expect.stringMatching(/^secrets\.key\.[0-9a-f]{12}$/)]);
    const { run } = await client.runs.wakeup({ params: { agentId }, body: {} });
    const status = await eventually("the end of the run", async () => {
      const { finishedAt, status } = await client.runs.get({ params: { runId: run?.id ?? "" } });
      return finishedAt === null ? null : status;
    });
    expect(status).toBe("succeeded");
    const { items } = await client.secrets.list({ params: { companyId } });
    expect(items).toMatchObject([{ name: "agents/printer/API_TOKEN", latestVersion: 1 }]);
  }, 90_000);
});

describe("npm run rotate-key refuses in a sentence, and changes nothing,", () => {
  const refused = async (env: Readonly<Record<string, string>> = {}): Promise<string> => {
    const rotation = rotate(env);
    expect(await rotation.ended).toEqual({ code: 1, signal: null });
    expect(rotation.said()).toMatch(/^[^\n]+\.\n$/);
    return rotation.said();
  };

  it("where there is no home, no key, none of the home, or none that can be one", async () => {
    expect(await refused()).toMatch(/^There is no .*secrets\.key\. Name the home with SERVICE_HOME/);
    await mkdir(here.home, { recursive: true });
    expect(await refused()).toMatch(/^There is no /);
    for (const name of ["SERVICE_SECRETS_KEY", "SERVICE_SECRETS_KEY_FILE", "DATABASE_URL"]) {
      expect(await refused({ [name]: "set" })).toMatch(
        new RegExp(`^${name} is set, .* SERVICE_SECRETS_KEY_PREVIOUS\\.`),
      );
    }
    expect(await readdir(here.home)).toEqual([]);
  });

  it("where the server that runs has another key than the file", async () => {
    await launched();
    const before = await present();
    await writeFile(join(here.home, "secrets.key"), "ab".repeat(32));
    expect(await refused()).toMatch(/^The server that runs has another master key than .*: put that one back first\./);
    expect(await keyFiles()).toEqual(["secrets.key"]);
    await writeFile(join(here.home, "secrets.key"), before);
  }, 60_000);
});
