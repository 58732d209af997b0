import { setImmediate as turn } from "node:timers/promises";
import type { ActivityEntry } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longLog } from "../../../test/long-log.ts";
import { scopeIn } from "../../../test/module-door.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import type { Reader } from "../../platform/database/index.ts";
import { Reached } from "../../platform/http/index.ts";
import { createLog } from "../../platform/log.ts";
import { type Signals, startSignals } from "../../platform/signals.ts";
import { createFeeds, type Feeds } from "./feed.ts";
import { followEntries } from "./follow-entries.ts";

describe("those who follow a company on one server", () => {
  let server: TestServer;
  let signals: Signals;
  let feeds: Feeds;
  let db: Reader;
  let reads = 0;
  beforeAll(async () => {
    server = await startTestServer();
    signals = startSignals(server.database.driver);
    // Counts what is read here alone: the server does things by itself, too.
    db = new Proxy(server.database.reader, {
      get(reader, name) {
        if (name === "select") reads += 1;
        return Reflect.get(reader, name);
      },
    });
    feeds = createFeeds({ db, signals, log: createLog("silent") });
  });
  afterAll(async () => {
    await signals.close();
    await server.close();
  });

  const newCompany = async (): Promise<string> =>
    (await server.board.companies.create({ body: { name: "Followed" } })).id;
  const never = new AbortController().signal;
  let looks = 0;
  const follow = (companyId: string, signal = never, after = 0) =>
    followEntries(
      feeds,
      {
        scope: { ...scopeIn(server, companyId), db },
        after,
        filter: {},
        requireAccess: async () => {
          looks += 1;
        },
      },
      signal,
    );
  type Told = AsyncIterator<ActivityEntry | Reached>;
  const take = async (told: Told, count: number): Promise<number[]> => {
    const seqs: number[] = [];
    while (seqs.length < count) {
      const { value } = await told.next();
      if (!(value instanceof Reached)) seqs.push(value.seq);
    }
    return seqs;
  };
  const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

  test("who is slower than the others reads on from the database by itself, and misses nothing", async () => {
    const companyId = await newCompany();
    const [slow, fast] = [follow(companyId), follow(companyId)];
    expect(await take(slow, 1)).toEqual([1]);
    await longLog(server, companyId, "Followed").add(2_000);
    signals.notify([companyId]);
    expect(await take(fast, 2_001)).toEqual(upTo(2_001));
    const before = { reads, looks };
    expect(await take(slow, 2_000)).toEqual(upTo(2_001).slice(1));
    // At 100 a batch, all but the last few hundred; each is told only after its access was looked at.
    expect(reads - before.reads).toBeGreaterThan(10);
    expect(looks - before.looks).toBeGreaterThan(10);
    await Promise.all([slow.return(undefined), fast.return(undefined)]);
  });

  test("who waits for what comes is woken when it leaves; when nobody is left nothing is read any more", async () => {
    const companyId = await newCompany();
    const leaving = new AbortController();
    const told = [follow(companyId, leaving.signal), follow(companyId, leaving.signal)];
    for (const one of told) await take(one, 1);
    const waiting = told.map((one) => one.next());
    leaving.abort();
    expect(await Promise.all(waiting)).toEqual(told.map(() => ({ done: true, value: undefined })));
    const ear = signals.listen(companyId);
    const before = reads;
    signals.notify([companyId]);
    expect(await ear.next(10_000)).toBe(true);
    for (let n = 0; n < 10; n += 1) await turn();
    expect(reads).toBe(before);
    ear.close();
    const again = follow(companyId);
    expect(await take(again, 1)).toEqual([1]);
    await again.return(undefined);
  });
});
