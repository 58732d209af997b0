import { instanceId, localBoardUserId } from "@roster/contract";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { type Change, change, changeAtOnce, LostRace } from "./change.ts";
import { newId } from "./ids.ts";
import { noCause, type Scope } from "./scope.ts";
import { startSignals } from "./signals.ts";

describe("a change", () => {
  let server: TestServer;
  let companyId: string;
  beforeAll(async () => {
    server = await startTestServer();
    companyId = (await server.board.companies.create({ body: { name: "Change" } })).id;
  });
  afterAll(() => server.close());

  const scope = (): Scope => ({
    companyId,
    caller: { kind: "board", userId: localBoardUserId },
    cause: noCause,
    db: server.database.reader,
    now: new Date(),
    requestId: "test",
  });
  const host = () => ({ database: server.database, notifier: startSignals(server.database.driver) });
  const rename = (opened: Change, name: string) =>
    opened.write.execute(sql`update companies set name = ${name} where id = ${opened.companyId}`);
  const seqs = async (): Promise<number[]> => {
    const rows = await server.database.driver<{ seq: string }[]>`
      select seq from activity where company_id = ${companyId} order by seq`;
    return rows.map(({ seq }) => Number(seq));
  };

  test("P2: a write without an entry in the log does not commit", async () => {
    await expect(change(host(), scope(), (opened) => rename(opened, "unlogged"))).rejects.toThrow("not recorded");
    const { name } = await server.board.companies.get({ params: { companyId } });
    expect(name).toBe("Change");
  });

  test("P2: what a failed change recorded is gone with what it wrote, and leaves no gap", async () => {
    const before = await seqs();
    const failing = change(host(), scope(), async (opened) => {
      await rename(opened, "half");
      opened.record("company.changed", companyId, { name: "half", changed: ["name"] });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await seqs()).toEqual(before);
    expect((await server.board.companies.get({ params: { companyId } })).name).toBe("Change");
  });

  test("sequences are gap-free and in commit order under parallel changes of which some fail", async () => {
    const work = Array.from({ length: 60 }, (_, n) =>
      change(host(), scope(), async (opened) => {
        opened.record("company.changed", companyId, { name: `n${n}`, changed: ["name"] });
        if (n % 3 === 0) opened.record("company.changed", companyId, { name: `m${n}`, changed: ["goal"] });
        if (n % 5 === 0) throw new Error("fails on purpose");
        return n;
      }),
    );
    const results = await Promise.allSettled(work);
    const expected = [...Array(60).keys()]
      .filter((n) => n % 5 !== 0)
      .reduce((sum, n) => sum + (n % 3 === 0 ? 2 : 1), 0);
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(12);
    const all = await seqs();
    expect(all).toEqual([...all.keys()].map((index) => index + 1));
    expect(all.length).toBeGreaterThan(expected);
    const times = await server.database.driver<{ at: string }[]>`
      select extract(epoch from created_at) as at from activity where company_id = ${companyId} order by seq`;
    const stamps = times.map(({ at }) => Number(at));
    expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
  });

  test("entries of one change share a root, and name no cause without one", async () => {
    await change(host(), scope(), async (opened) => {
      opened.record("company.changed", companyId, { name: "a", changed: [] });
      opened.record("company.changed", companyId, { name: "b", changed: [] });
    });
    const { items } = await server.board.activity.list({ params: { companyId }, query: { limit: 2 } });
    const [second, first] = items;
    expect(first?.cause).toEqual({ seq: null, rootSeq: first?.seq, hops: 0 });
    expect(second?.cause.rootSeq).toBe(first?.seq);
  });

  test("P2: what is done at once stands with its entry or not at all, and says where there was nothing to do", async () => {
    const rename = (name: string, id = companyId) =>
      changeAtOnce(host(), scope(), {
        action: "company.changed",
        entityId: companyId,
        steps: sql`done as (
          update companies set name = ${name} where id = ${id}
          returning null::uuid as cause_id, id as root_id, 0 as hops,
            jsonb_build_object('name', name, 'changed', '["name"]'::jsonb) as details
        )`,
        announce: [],
      });
    const nameNow = async () => (await server.board.companies.get({ params: { companyId } })).name;
    const before = await seqs();
    expect(await rename("at once")).toBe(true);
    expect(await nameNow()).toBe("at once");
    expect(await seqs()).toEqual([...before, before.length + 1]);
    expect(await rename("nobody", newId())).toBe(false);
    expect(await seqs()).toHaveLength(before.length + 1);
    await server.database.driver`update activity_heads set closed_after = last_seq where company_id = ${companyId}`;
    await expect(rename("too late")).rejects.toThrow("is closed");
    await server.database.driver`update activity_heads set closed_after = null where company_id = ${companyId}`;
    expect(await nameNow()).toBe("at once");
    expect(await seqs()).toHaveLength(before.length + 1);
    const names = await Promise.all(Array.from({ length: 20 }, (_, n) => rename(`many ${n}`)));
    expect(names).toEqual(Array.from({ length: 20 }, () => true));
    expect((await seqs()).at(-1)).toBe(before.length + 21);
  });

  test("a change that wrote nothing and recorded nothing commits as nothing", async () => {
    const before = await seqs();
    expect(await change(host(), scope(), async () => "same")).toBe("same");
    expect(await seqs()).toEqual(before);
  });

  test("a lost race begins again from the start", async () => {
    let rounds = 0;
    const answer = await change(host(), scope(), async (opened) => {
      rounds += 1;
      opened.record("company.changed", companyId, { name: "race", changed: [] });
      if (rounds < 3) throw new LostRace("taken");
      return rounds;
    });
    expect(answer).toBe(3);
    expect((await seqs()).at(-1)).toBe((await seqs()).length);
  });

  test("the connections of a scope cannot write: the database itself refuses", async () => {
    const write = scope().db.execute(sql`update companies set name = 'x' where id = ${companyId}`);
    await expect(write).rejects.toMatchObject({ cause: { code: "25006" } });
  });

  test("no one rewrites the log: update, delete and truncate are refused by the database", async () => {
    const { driver } = server.database;
    await expect(driver`update activity set action = 'x'`).rejects.toThrow("append-only");
    await expect(driver`delete from activity`).rejects.toThrow("append-only");
    await expect(driver`truncate activity`).rejects.toThrow("append-only");
  });

  test("the deployment's own log is a company-like sequence under a fixed id", async () => {
    await change(host(), { ...scope(), companyId: instanceId }, async (opened) => {
      opened.record("company.changed", newId(), { name: "instance", changed: [] });
    });
    const { items } = await server.board.activity.listInstance();
    expect(items[0]?.companyId).toBe(instanceId);
  });

  test("who listens hears of a committed change, and of nothing that was rolled back", async () => {
    const notifier = startSignals(server.database.driver);
    const [instance, company] = [notifier.listen(instanceId), notifier.listen(companyId)];
    const listening = { database: server.database, notifier };
    const failing = change(listening, { ...scope(), companyId: instanceId }, async () => {
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow();
    const [heard, unheard] = [company.next(10_000), instance.next(0)];
    await change(listening, scope(), async (opened) => {
      opened.record("company.changed", companyId, { name: "heard", changed: [] });
    });
    expect(await heard).toBe(true);
    expect(await unheard).toBe(false);
    await notifier.close();
  });
});
