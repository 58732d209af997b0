import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allOperations, permissions } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everythingStored } from "../../../test/module-door.ts";
import { type RunGround, startRunGround } from "../../../test/run-ground.ts";
import { registerRunner } from "../../index.ts";
import { ensureLocalRunner } from "./index.ts";

describe("runners", () => {
  let ground: RunGround;
  let home: string;
  beforeAll(async () => {
    ground = await startRunGround();
    home = await mkdtemp(join(tmpdir(), "roster-home-"));
  });
  afterAll(async () => {
    await ground.close();
    await rm(home, { recursive: true });
  });

  const host = () => ({ database: ground.server.database, notifier: { notify: () => undefined } });
  const claim = (token: string) => ground.server.as(token).runners.claim({ body: { capacity: 0, waitSec: 0 } });
  const registered = async (): Promise<number> => (await ground.sql`select id from runners`).length;

  test("registering one is an entry of the deployment's log; its token is shown once and nowhere stored", async () => {
    const { id, token } = await registerRunner(host(), { name: "Cellar" });
    expect(token).toMatch(/^svr_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/);
    const { items } = await ground.board.activity.listInstance({ query: { entityId: id } });
    expect(items).toMatchObject([
      { action: "runner.registered", actor: { kind: "system" }, details: { name: "Cellar" } },
    ]);
    await claim(token);
    const everything = `${await everythingStored(ground.server)}\n${ground.server.logged.join("\n")}`;
    expect(everything).toContain(id);
    expect(everything).not.toContain(token.slice(13));
  });

  test("a token that was never given out opens nothing, however it is misspelt", async () => {
    const { token } = await registerRunner(host(), { name: "Cellar" });
    const last = token.at(-1) === "x" ? "y" : "x";
    for (const wrong of [
      `${token.slice(0, -1)}${last}`,
      `${token}x`,
      token.slice(0, -1),
      "svr_",
      `svk${token.slice(3)}`,
    ]) {
      await expect(claim(wrong)).rejects.toMatchObject({ status: 401, code: "unauthenticated" });
    }
    await expect(claim(token)).resolves.toMatchObject({ orders: [] });
  });

  test("a runner calls what runners call, and nothing else of the whole contract; nobody else calls that", async () => {
    const { token } = await registerRunner(host(), { name: "Cellar" });
    const company = await ground.company();
    const agent = await company.agent();
    const key = await ground.board.agentKeys.create({ params: { agentId: agent.id }, body: {} });
    const statusOf = async (path: string, method: string, bearer: string | null): Promise<number> => {
      const headers = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
      const there = ground.server.url + path.replace(/:\w+/g, company.id);
      return (await fetch(there, { method, headers })).status;
    };
    for (const { name, operation } of allOperations()) {
      const rule = permissions[operation.may];
      if ("public" in rule) continue;
      const { path, method } = operation;
      if ("runner" in rule) {
        for (const bearer of [null, key.token]) expect(await statusOf(path, method, bearer), name).toBe(403);
      } else {
        expect(await statusOf(path, method, token), name).toBe(403);
      }
    }
  });

  test("the runner of a home has a token that only its user reads; it stays as long as the service knows it", async () => {
    const file = join(home, "runner.token");
    const before = await registered();
    await ensureLocalRunner(host(), home);
    const token = (await readFile(file, "utf8")).trim();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await claim(token);
    await ensureLocalRunner(host(), home);
    expect((await readFile(file, "utf8")).trim()).toBe(token);
    expect(await registered()).toBe(before + 1);
    for (const broken of ["", "svr_00000000_nothing\n", token.slice(0, -1)]) {
      await writeFile(file, broken);
      await ensureLocalRunner(host(), home);
      await claim((await readFile(file, "utf8")).trim());
    }
    expect(await registered()).toBe(before + 4);
  });
});
