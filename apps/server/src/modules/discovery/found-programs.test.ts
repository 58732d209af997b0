import { adapterSpecs } from "@roster/adapters/specs";
import type { FoundProgram } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround } from "../../../test/run-ground.ts";

const noLogin = { severity: "warning", message: "No login was found." } as const;
const claude: FoundProgram = { adapterType: "claude_local", version: "2.1.0", findings: [] };
const codex: FoundProgram = { adapterType: "codex_local", version: null, findings: [noLogin] };

describe("the adapters", () => {
  let ground: RunGround;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const found = async () => {
    const { adapters, looked } = await ground.board.discovery.adapters();
    const all = adapters.flatMap((adapter) => (adapter.found === null ? [] : [[adapter.type, adapter.found] as const]));
    return { looked, found: Object.fromEntries(all) };
  };

  test("every adapter is there with the schema of its settings, and how its program is installed where one has to be", async () => {
    const { adapters } = await ground.board.discovery.adapters();
    expect(adapters.map(({ type }) => type)).toEqual(adapterSpecs.map(({ type }) => type));
    for (const { type, settings, install } of adapters) {
      expect(Object.keys(settings["properties"] ?? {}), type).toEqual(
        expect.arrayContaining(["cwd", "env", "timeoutSec"]),
      );
      expect(install === null, type).toBe(type === "process" || type === "http");
    }
  });

  test("what a runner of all companies has found is told; what it finds later takes its place", async () => {
    expect(await found()).toEqual({ looked: false, found: {} });
    const { token } = await ground.board.fleet.register({ body: { name: "cellar" } });
    const { runners } = ground.server.as(token ?? "");
    await runners.programs({ body: { programs: [claude, codex] } });
    expect(await found()).toEqual({
      looked: true,
      found: {
        claude_local: { version: "2.1.0", findings: [] },
        codex_local: { version: null, findings: [noLogin] },
      },
    });
    await runners.programs({ body: { programs: [] } });
    expect(await found()).toEqual({ looked: true, found: {} });
  });

  test("of several runners the one counts where least is missing", async () => {
    for (const findings of [[noLogin], [], [noLogin]]) {
      const { token } = await ground.board.fleet.register({ body: { name: "another" } });
      const programs = [{ ...codex, version: `1.${findings.length}`, findings }];
      await ground.server.as(token ?? "").runners.programs({ body: { programs } });
    }
    expect((await found()).found["codex_local"]).toEqual({ version: "1.0", findings: [] });
  });

  test("what a runner of some companies has found, or one that was removed, is told to nobody", async () => {
    const company = await ground.company();
    const own = await ground.board.fleet.register({ body: { name: "own", companyIds: [company.id] } });
    const gone = await ground.board.fleet.register({ body: { name: "gone" } });
    for (const { token } of [own, gone]) {
      await ground.server.as(token ?? "").runners.programs({ body: { programs: [claude] } });
    }
    await ground.board.fleet.remove({ params: { runnerId: gone.id } });
    expect((await found()).found["claude_local"]).toBeUndefined();
  });
});
