import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createClient } from "@roster/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, house, type Programs, realPrograms } from "./fixture/house.ts";

let programs: Programs;
beforeAll(async () => {
  programs = await realPrograms();
});
afterAll(() => programs.remove());

it("a second runner takes what asks for its label, and what the first one has when that is stopped", async () => {
  const here = await house();
  const away = await mkdtemp(join(tmpdir(), "roster-away-"));
  try {
    await here.run({ args: [programs.launcher], env: {} }).saying("Local trusted mode");
    const client = createClient({ baseUrl: `http://localhost:${here.port}` });
    const { token, id: secondId } = await client.fleet.register({ body: { name: "cellar" } });
    await writeFile(join(away, "runner.token"), `${token}\n`, { mode: 0o600 });
    const second = here.run({
      args: [join(dirname(programs.launcher), "runner.js")],
      env: { SERVICE_HOME: away, SERVICE_RUNNER_URL: `http://localhost:${here.port}`, SERVICE_RUNNER_LABELS: "gpu" },
    });
    const company = await client.companies.create({ body: { name: "Acme" } });
    const ranOn = async (adapterConfig: object): Promise<string | null> => {
      const body = { name: "Teller", adapterType: "process", adapterConfig: { command: "true", ...adapterConfig } };
      const agent = await client.agents.create({ params: { companyId: company.id }, body });
      const { run } = await client.runs.wakeup({ params: { agentId: agent.id }, body: {} });
      return eventually("the end of the run", async () => {
        const { status, runnerId } = await client.runs.get({ params: { runId: run?.id ?? "" } });
        return status === "succeeded" ? runnerId : null;
      });
    };
    expect(await ranOn({ runner: { labels: ["gpu"] } })).toBe(secondId);
    const { items } = await client.fleet.list({});
    const first = items.find(({ name }) => name === hostname());
    await client.fleet.stop({ params: { runnerId: first?.id ?? "" } });
    expect(await ranOn({})).toBe(secondId);
    await client.fleet.resume({ params: { runnerId: first?.id ?? "" } });
    await client.fleet.drain({ params: { runnerId: secondId } });
    expect(await ranOn({})).toBe(first?.id);
    process.kill(second.pid, "SIGTERM");
    expect(await second.ended).toMatchObject({ code: 0 });
  } finally {
    await here.clear();
    await rm(away, { recursive: true });
  }
}, 90_000);
