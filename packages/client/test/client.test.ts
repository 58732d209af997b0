import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, test } from "vitest";
import { createClient, isRefused, versionOf } from "../src/index.ts";
import { type Answering, answering, playServices, refusing } from "./fixture/played-service.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const params = { runId: "0198f000-0000-7000-8000-000000000001" };
const companyId = "0198f000-0000-7000-8000-000000000002";

describe("the client", () => {
  const services = playServices();
  afterEach(() => services.close());
  const play = (...answers: [Answering, ...Answering[]]) => services.play({}, ...answers);

  test("answers what was accepted as the resource", async () => {
    const woken = { run: null, coalesced: false, skipped: "self_caused" };
    const { client } = await play(answering(woken, {}, 202));
    expect(await client.runs.invoke({ params: { agentId: "ada" } })).toEqual(woken);
  });

  test("answers bytes as they are, all or a part", async () => {
    const bytes = Buffer.from([0, 255, 10]);
    const { client, asked } = await play((_, response) => response.end(bytes));
    expect(await client.runs.log({ params })).toEqual(new Uint8Array(bytes));
    await client.runs.log({ params, range: { from: 3 } });
    await client.runs.log({ params, range: { to: 3 } });
    await client.runs.log({ params, range: { from: 2, to: 3 } });
    expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, "bytes=3-", "bytes=0-2", "bytes=2-2"]);
    const nothing = async () => await client.runs.log({ params, range: { from: 3, to: 3 } });
    await expect(nothing()).rejects.toThrow(RangeError);
  });

  test("gives any call up when its signal aborts, with the signal's reason", async () => {
    const { client } = await play(() => undefined);
    const reason = new Error("enough");
    const giving = new AbortController();
    const call = client.runs.get({ params, signal: giving.signal });
    giving.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test("gives a call up that waits for its answer, whatever was collected as garbage meanwhile", async () => {
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { client } = await play(() => arrive());
    const reason = new Error("enough");
    const giving = new AbortController();
    const call = client.runs.get({ params, signal: giving.signal });
    await arrived;
    collectGarbage();
    giving.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test("takes an address with a slash at its end", async () => {
    const { url } = await play((request, response) => response.end(request.url));
    expect(await createClient({ baseUrl: `${url}/` }).service.livez()).toBe("/livez");
  });

  test("takes no address and no header without form, and tries neither again", async () => {
    const { url, asked } = await play(answering({}));
    const nowhere = async () => await createClient({ baseUrl: "localhost" }).service.health();
    await expect(nowhere()).rejects.toThrow(TypeError);
    const nobody = async () => await createClient({ baseUrl: url, token: "two\nlines" }).service.health();
    await expect(nobody()).rejects.toThrow(TypeError);
    expect(asked).toEqual([]);
  });

  test("tells refusals apart by their code", async () => {
    const { client } = await play(refusing(412, "stale_revision"));
    const refusal = await client.companies.change({ params: { companyId }, body: {}, ifMatch: 1 }).catch(String);
    expect(refusal).toBe("Refused: No.");
    const error = await client.companies.get({ params: { companyId } }).catch((thrown: unknown) => thrown);
    expect(isRefused(error)).toBe(true);
    expect(isRefused(error, "not_found", "stale_revision")).toBe(true);
    expect(isRefused(error, "not_found")).toBe(false);
    expect(isRefused(new Error("stale_revision"), "stale_revision")).toBe(false);
    // The type is narrowed with it: this compiles for codes of the closed list only.
    if (isRefused(error, "stale_revision", "not_found")) {
      const code: "stale_revision" | "not_found" = error.code;
      expect(code).toBe("stale_revision");
    }
  });

  test("makes a refusal of what a proxy in front of the service says", async () => {
    const page: Answering = (_, response) => response.writeHead(404, { "retry-after": "now" }).end("<html>");
    const { client } = await play(page);
    const refusal = client.companies.get({ params: { companyId } });
    await expect(refusal).rejects.toMatchObject({ status: 404, code: "internal", message: "HTTP 404: <html>" });
  });

  test("knows the version of what was answered, and of nothing else", async () => {
    const { client } = await play(answering({ id: companyId }, { etag: '"7"' }), answering([{ id: companyId }]));
    const company = await client.companies.get({ params: { companyId } });
    expect(versionOf(company)).toBe(7);
    expect(() => versionOf({ ...company })).toThrow(TypeError);
    const { items } = await client.companies.list();
    expect(() => versionOf(items[0] ?? {})).toThrow(TypeError);
  });

  test("sends the version it is given, as what the service calls it", async () => {
    const { client, asked } = await play(answering({}, { etag: 'W/"8"' }));
    const changed = await client.companies.change({ params: { companyId }, body: { goal: null }, ifMatch: 7 });
    expect([asked[0]?.headers["if-match"], versionOf(changed)]).toEqual(['"7"', 8]);
    expect(asked[0]?.headers["content-type"]).toBe("application/merge-patch+json");
  });

  describe("goes through a list", () => {
    const page = (items: number[], next: string | null): Answering =>
      answering(
        items.map((seq) => ({ seq })),
        next === null ? {} : { link: `</api/companies/${companyId}/activity?limit=2&cursor=${next}>; rel="next"` },
      );
    const list = { params: { companyId }, query: { limit: 2, action: "agent.created" } };

    test("page after page, with what was asked for, each item once", async () => {
      const seen: string[] = [];
      const noting =
        (inner: Answering): Answering =>
        (request, response) => {
          seen.push(new URL(request.url ?? "", "http://here").search);
          inner(request, response);
        };
      const { client } = await play(
        noting(page([1, 2], "a%2Fb")),
        noting(page([3, 4], "c")),
        noting(page([], "d")),
        noting(page([5], null)),
      );
      const seqs: number[] = [];
      for await (const { seq } of client.activity.list.all(list)) seqs.push(seq);
      expect(seqs).toEqual([1, 2, 3, 4, 5]);
      const query = "?limit=2&action=agent.created";
      expect(seen).toEqual([query, `${query}&cursor=a%2Fb`, `${query}&cursor=c`, `${query}&cursor=d`]);
    });

    test("no further than its reader goes", async () => {
      const { client, asked } = await play(page([1, 2], "a"), page([3, 4], "b"));
      const items = client.activity.list.all(list);
      expect(asked).toHaveLength(0);
      const seqs: number[] = [];
      for await (const { seq } of items) {
        seqs.push(seq);
        if (seq === 2) break;
      }
      expect([seqs, asked.length]).toEqual([[1, 2], 1]);
    });

    test("from a cursor on, over a page that fails once, and not past a refusal", async () => {
      const { client, asked } = await play(
        page([1], "a"),
        refusing(503, "overloaded"),
        page([2], "b"),
        refusing(403, "forbidden"),
      );
      const items = client.activity.list.all({ ...list, query: { cursor: "start" } });
      expect([(await items.next()).value?.seq, (await items.next()).value?.seq]).toEqual([1, 2]);
      await expect(items.next()).rejects.toMatchObject({ code: "forbidden" });
      expect(asked).toHaveLength(4);
    });
  });
});
