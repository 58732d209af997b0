import type { Client } from "@roster/client";
import type { ActivityEntry } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EventSource, openEvents } from "../../../test/event-source.ts";
import { longLog } from "../../../test/long-log.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";

const idle = { adapterType: "process", adapterConfig: { command: "true" } } as const;
const seqsOf = (entries: readonly ActivityEntry[]): number[] => entries.map(({ seq }) => seq);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe("following the activity log", () => {
  let here: TestServer;
  let there: TestServer;
  let companyId: string;
  beforeAll(async () => {
    // What is looked at again and again would be counted.
    here = await startTestServer({ beatMs: 3_600_000 });
    there = await here.sibling();
    companyId = await newCompany();
  });
  afterAll(async () => {
    await there.close();
    await here.close();
  });

  const newCompany = async (): Promise<string> =>
    (await here.board.companies.create({ body: { name: "Followed" } })).id;
  const follow = ({ url }: TestServer, query = "", headers: Record<string, string> = {}, company = companyId) =>
    openEvents({ url, companyId: company, query, headers });
  const from = (lastId: string | null | undefined): Record<string, string> => ({ "last-event-id": lastId ?? "none" });
  const lastSeq = async (company = companyId): Promise<number> =>
    (await here.board.activity.list({ params: { companyId: company }, query: { limit: 1 } })).items[0]?.seq ?? 0;
  const create = (board: Client, title: string, company = companyId) =>
    board.issues.create({ params: { companyId: company }, body: { title } });

  test("P2: written on two servers and read on three, cut off and closed in the middle, every entry comes once, in order", async () => {
    const closing = await here.sibling();
    const writing = Promise.all(
      [here, there].map(async ({ board }, writer) => {
        for (let n = 0; n < 40; n += 1) await create(board, `${writer} ${n}`);
      }),
    );
    const told: ActivityEntry[] = [];
    const first = await follow(closing, "?after=0");
    await first.until(20);
    await Promise.all([closing.close(), first.ended]);
    expect(await first.ended).toBe(false);
    told.push(...first.entries);
    const second = await follow(there, "?after=0", from(first.lastId));
    await second.until(20);
    second.cut();
    await second.ended;
    told.push(...second.entries);
    const third = await follow(here, "", from(second.lastId));
    await writing;
    const last = await lastSeq();
    await third.until(last - told.length);
    told.push(...third.entries);
    third.cut();
    expect(seqsOf(told)).toEqual(upTo(last));
    const listed: ActivityEntry[] = [];
    const query = { after: 0, limit: 200 };
    for await (const entry of here.board.activity.list.all({ params: { companyId }, query })) listed.push(entry);
    expect(told).toEqual(listed);
  });

  test("without a beginning it tells what comes next, and who is cut off before anything came misses nothing", async () => {
    const before = await lastSeq();
    const source = await follow(here);
    await create(there.board, "first after");
    await source.until(1);
    expect(source.entries[0]?.seq).toBe(before + 1);
    source.cut();
    const quiet = await follow(there);
    const mark = await lastSeq();
    await quiet.until(0);
    quiet.cut();
    expect(quiet.lastId).toBe(String(mark));
    await create(here.board, "while nobody listened");
    const again = await follow(here, "", from(quiet.lastId));
    await again.until(1);
    expect(again.entries[0]?.seq).toBe(mark + 1);
    again.cut();
  });

  test("as JSON it is a page of the same, oldest first", async () => {
    const { items, next } = await here.board.activity.events({ params: { companyId }, query: { limit: 3 } });
    expect(seqsOf(items)).toEqual([1, 2, 3]);
    expect(next).not.toBeNull();
    const after = await here.board.activity.events({ params: { companyId }, query: { after: 2, limit: 2 } });
    expect(seqsOf(after.items)).toEqual([3, 4]);
  });

  test("what nobody is told of comes all the same", async () => {
    const source = await follow(here);
    await longLog(there, companyId, "Followed").add(3);
    await source.until(3);
    source.cut();
  });

  test("a filter tells of what happened and of what happens as the list finds it", async () => {
    const company = await newCompany();
    const { id: agentId } = await here.board.agents.create({
      params: { companyId: company },
      body: { name: "Ada", ...idle },
    });
    const log = longLog(here, company, "Followed");
    await log.add(450);
    const [first, second] = (await here.board.activity.list({ params: { companyId: company } })).items;
    const filters: Record<string, string>[] = [
      { entityId: first?.entityId ?? "" },
      { entityType: "runner", entityId: second?.entityId.toUpperCase() ?? "" },
      { action: "agent.resumed" },
      { actor: first?.actor.id ?? "", entityType: "agent" },
      { agentId },
    ];
    const sources = await Promise.all(
      filters.map((filter) => follow(there, `?after=0&${new URLSearchParams(filter)}`, {}, company)),
    );
    await log.add(90);
    await here.board.agents.pause({ params: { agentId } });
    for (const [index, filter] of filters.entries()) {
      const listed: ActivityEntry[] = [];
      const query = { ...filter, after: 0, limit: 200 };
      for await (const entry of here.board.activity.list.all({ params: { companyId: company }, query })) {
        listed.push(entry);
      }
      const source = sources[index] as EventSource;
      await source.until(listed.length);
      expect(source.entries, JSON.stringify(filter)).toEqual(listed);
      source.cut();
    }
  });

  test("P1: an agent of another company is refused it, and as a filter", async () => {
    const { id: agentId } = await here.board.agents.create({
      params: { companyId: await newCompany() },
      body: { name: "Stranger", ...idle },
    });
    const { token } = await here.board.agentKeys.create({ params: { agentId }, body: {} });
    const { events } = here.as(token ?? "").activity;
    const refused = { status: 403, code: "other_company" };
    await expect(events({ params: { companyId } })).rejects.toMatchObject(refused);
    await expect(events.follow({ params: { companyId } }).next()).rejects.toMatchObject(refused);
    const filtered = { params: { companyId }, query: { agentId } };
    await expect(here.board.activity.events(filtered)).rejects.toMatchObject(refused);
    await expect(here.board.activity.events.follow(filtered).next()).rejects.toMatchObject(refused);
  });

  test("many who follow are one to the database", async () => {
    const company = await newCompany();
    const sources = await Promise.all(Array.from({ length: 50 }, () => follow(here, "?after=0", {}, company)));
    await Promise.all(sources.map((source) => source.until(1)));
    const statements = here.database.statements.count;
    for (let n = 0; n < 20; n += 1) await create(there.board, `${n}`, company);
    await Promise.all(sources.map((source) => source.until(21)));
    // One for each piece of news at most, and what the server does by itself; one for each who follows would be 1,000.
    expect(here.database.statements.count - statements).toBeLessThan(250);
    for (const source of sources) expect(seqsOf(source.entries)).toEqual(upTo(21));
    for (const source of sources) source.cut();
  });

  test("P7: it goes on when the database has cut every connection", async () => {
    const source = await follow(here);
    await source.until(0);
    await there.database.driver`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    const before = source.lastId;
    for (let isWritten = false; !isWritten; ) {
      isWritten = await create(there.board, "after all").then(
        () => true,
        () => false,
      );
    }
    await source.until(1);
    expect(source.entries[0]?.seq).toBe(Number(before) + 1);
    source.cut();
  });
});
