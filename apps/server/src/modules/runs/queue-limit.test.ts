import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopeIn } from "../../../test/module-door.ts";
import { type RunGround, startRunGround, type TestCompany } from "../../../test/run-ground.ts";
import { settlingWith } from "../../interface.ts";
import { pricesWith } from "../costs/index.ts";
import { endOverdueRuns } from "./index.ts";

describe("a run that waits", () => {
  let ground: RunGround;
  let company: TestCompany;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const end = () => {
    const host = { database: ground.server.database, notifier: { notify: () => undefined } };
    return endOverdueRuns(host, scopeIn(ground.server, "", { kind: "system" }), settlingWith(pricesWith()));
  };
  const age = (runId: string, seconds: number) => ground.sql`
    update runs set created_at = clock_timestamp() - make_interval(secs => ${seconds}) where id = ${runId}`;

  test("ends when it has waited for longer than its agent's runs may, which counts as no failure of the agent", async () => {
    company = await ground.company();
    const agent = await company.agent({ runtimeConfig: { queueTimeoutSec: 600 } });
    for (let n = 0; n < 3; n += 1) {
      const { id: runId } = await ground.wake(agent.id);
      await age(runId, 590);
      await end();
      expect((await ground.run(runId)).status).toBe("queued");
      await age(runId, 601);
      await end();
      await expect.poll(async () => (await ground.run(runId)).status, { interval: 20 }).toBe("timed_out");
      expect((await ground.run(runId)).cause).toEqual({
        code: "timed_out",
        message: "It waited in the queue for longer than 600 seconds (runtimeConfig.queueTimeoutSec).",
        nextActor: "board",
      });
      expect(await company.actions(runId)).toEqual(["run.finished"]);
    }
    expect((await ground.board.agents.get({ params: { agentId: agent.id } })).status).toBe("idle");
  });

  test("waits for ever where nothing is set, and what is under way has waited long enough", async () => {
    company = await ground.company();
    const patient = await company.agent();
    const { id: runId } = await ground.wake(patient.id);
    await age(runId, 10_000_000);
    const hasty = await company.agent({ runtimeConfig: { queueTimeoutSec: 10 } });
    const { id: underWay } = await ground.wake(hasty.id);
    const runner = await company.runner();
    await runner.claim({ capacity: 2 });
    await age(underWay, 3600);
    await ground.sql`update runs set status = 'queued', runner_id = null where id = ${runId}`;
    await end();
    expect((await ground.run(runId)).status).toBe("queued");
    expect((await ground.run(underWay)).status).toBe("claimed");
  });
});
