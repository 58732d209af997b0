import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany } from "../../../test/run-ground.ts";
import { forgetOutput } from "./index.ts";

describe("output of runs that ended long ago", () => {
  let ground: RunGround;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  /** Runs an agent that prints a line, as if it had been so many days ago. */
  const ranDaysAgo = async (company: TestCompany, days: number): Promise<string> => {
    const agent = await company.agent();
    const runner = await company.runner();
    const { id } = await ground.wake(agent.id);
    const order = await runner.begin();
    await runner.settle(order, {}, [{ kind: "output", stream: "stdout", offset: 0, length: 3, text: "hi\n" }]);
    await ground.sql`
      update runs set finished_at = clock_timestamp() - make_interval(days => ${days}) where id = ${id}`;
    return id;
  };
  const kept = async (runId: string): Promise<string> => {
    const { items } = await ground.board.runs.events({ params: { runId } });
    const log = Buffer.from(await ground.board.runs.log({ params: { runId } })).toString();
    const { log: shown } = await ground.run(runId);
    expect(shown).toMatchObject({ bytes: log.length, forgotten: items.length === 0 });
    return log;
  };

  test("is removed after the time that the deployment says, and the run stays; what ended later is kept", async () => {
    const company = await ground.company();
    const [old, recent] = [await ranDaysAgo(company, 91), await ranDaysAgo(company, 89)];
    await forgetOutput(ground.server.database, 90);
    expect([await kept(old), await kept(recent)]).toEqual(["", "hi\n"]);
    expect(await ground.run(old)).toMatchObject({ status: "succeeded", cause: { code: "ok" }, wakes: [{}] });
  });

  test("is removed after the time that the company says, whatever the deployment does, and kept for ever without either", async () => {
    const company = await ground.company({ runOutputDays: 5 });
    const [old, recent] = [await ranDaysAgo(company, 6), await ranDaysAgo(company, 4)];
    const other = await ranDaysAgo(await ground.company(), 4000);
    await forgetOutput(ground.server.database, null);
    expect([await kept(old), await kept(recent), await kept(other)]).toEqual(["", "hi\n", "hi\n"]);
  });

  test("more than one step's worth goes too, also when two servers do it at once", async () => {
    const company = await ground.company({ runOutputDays: 1 });
    const runIds: string[] = [];
    for (let n = 0; n < 25; n += 1) runIds.push(await ranDaysAgo(company, 40 - n));
    const sibling = await ground.sibling();
    await Promise.all([forgetOutput(ground.server.database, null), forgetOutput(sibling.database, null)]);
    for (const runId of runIds) expect(await kept(runId)).toBe("");
    const rows = await ground.sql`select from run_events where company_id = ${company.id}`;
    expect(rows).toHaveLength(0);
  });
});
