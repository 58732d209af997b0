import type { RunEvent, RunOrder } from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunGround, startRunGround, type TestCompany, type TestRunner } from "../../../test/run-ground.ts";

describe("the output of a run", () => {
  let ground: RunGround;
  let company: TestCompany;
  let runner: TestRunner;
  beforeAll(async () => {
    ground = await startRunGround();
  });
  afterAll(() => ground.close());

  const begun = async (): Promise<RunOrder> => {
    company = await ground.company();
    runner = await company.runner();
    await ground.wake((await company.agent()).id);
    return runner.begin();
  };
  const at = ({ runId }: { runId: string }) => ({ params: { runId } });
  const eventsOf = async (order: RunOrder): Promise<RunEvent[]> =>
    (await ground.board.runs.events({ ...at(order), query: { limit: 200 } })).items;
  const logOf = async (order: RunOrder, range: object = {}): Promise<string> =>
    Buffer.from(await ground.board.runs.log({ ...at(order), ...range })).toString();
  const line = (offset: number, text: string, stream: "stdout" | "stderr" = "stdout") =>
    ({ kind: "output", stream, offset, length: Buffer.byteLength(text), text }) as const;
  const usage = (offset: number, data: Record<string, number>) =>
    ({ kind: "usage", stream: "stdout", offset, length: 1, data }) as const;

  test("what is told again, in other pieces, by two calls at once or on another server, is stored once, numbered without a gap", async () => {
    const order = await begun();
    const elsewhere = runner.at(await ground.sibling());
    const lines = Array.from({ length: 20 }, (_, n) => line(n * 3, `${String(n).padStart(2, "0")}\n`));
    await runner.tell(order, lines.slice(0, 5));
    await runner.tell(order, lines.slice(0, 5));
    await Promise.all([
      runner.tell(order, lines.slice(3, 10)),
      elsewhere.tell(order, lines.slice(0, 10)),
      runner.tell(order, [line(0, "oh\n", "stderr")]),
      elsewhere.tell(order, [line(0, "oh\n", "stderr")]),
    ]);
    await elsewhere.tell(order, lines.slice(8));
    await runner.settle(order, {}, [...lines.slice(15), line(60, "end")]);
    const events = await eventsOf(order);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
    const printed = (stream: string) => events.filter((event) => event.stream === stream).map(({ text }) => text);
    expect(printed("stdout").join("")).toBe(`${lines.map(({ text }) => text).join("")}end`);
    expect(printed("stderr")).toEqual(["oh\n"]);
    expect((await ground.run(order.runId)).log).toEqual({ bytes: 66, truncated: false, forgotten: false });
  });

  test("who takes up a run again is told how much of each of its outputs is stored", async () => {
    const order = await begun();
    const { runId, epoch } = order;
    const stored = async () => (await runner.client.runners.order({ params: { runId }, query: { epoch } })).stored;
    expect(await stored()).toEqual({ stdout: 0, stderr: 0 });
    await runner.tell(order, [line(0, "hello\n"), line(0, "oh\n", "stderr"), line(6, "more\n")]);
    expect(await stored()).toEqual({ stdout: 11, stderr: 3 });
  });

  test("the log has every byte as it was, also what is no text, in one piece or in parts", async () => {
    const order = await begun();
    const pieces = Array.from({ length: 130 }, (_, n) => Buffer.from([n, 0, 255, 10, ...Buffer.from("größer")]));
    let offset = 0;
    const told = pieces.map((bytes) => {
      const event = { kind: "output", stream: "stdout", offset, length: bytes.length } as const;
      offset += bytes.length;
      return { ...event, base64: bytes.toString("base64") };
    });
    await runner.tell(order, told);
    const whole = Buffer.concat(pieces);
    const read = async (range: object = {}) => Buffer.from(await ground.board.runs.log({ ...at(order), ...range }));
    const readsAll = async (): Promise<void> => {
      expect(await read()).toEqual(whole);
      for (const [from, to] of [
        [0, 1],
        [11, 13],
        [5, 700],
        [whole.length - 1, whole.length],
        [601, whole.length],
      ] as const) {
        expect(await read({ range: { from, to } })).toEqual(whole.subarray(from, to));
      }
      expect(await read({ range: { from: 500 } })).toEqual(whole.subarray(500));
    };
    await readsAll();
    await runner.settle(order);
    await readsAll();
    const [event] = await eventsOf(order);
    expect(event?.text).toBe("\ufffd\ufffd\ufffd\ngrößer");
    const behind = read({ range: { from: whole.length } });
    await expect(behind).rejects.toMatchObject({ status: 416, code: "range_not_satisfiable" });
  });

  test("a run that printed nothing has an empty log", async () => {
    const order = await begun();
    expect(await logOf(order)).toBe("");
    await runner.settle(order);
    expect(await logOf(order)).toBe("");
    expect(await eventsOf(order)).toEqual([]);
  });

  test("what was left out is said, in the log and of the run", async () => {
    const order = await begun();
    const gap = { kind: "gap", stream: "stdout", offset: 3, length: 5000, data: { bytes: 5000 } } as const;
    await runner.tell(order, [line(0, "one"), gap, line(5003, "two")]);
    expect(await logOf(order)).toBe("one\n[… 5000 bytes were left out here …]\ntwo");
    expect((await ground.run(order.runId)).log.truncated).toBe(true);
    await runner.settle(order);
    expect((await ground.run(order.runId)).log.truncated).toBe(true);
  });

  test("usage is added up while the run is under way, and stays when it is over; told again it does not count twice", async () => {
    const order = await begun();
    const used = async () => (await ground.run(order.runId)).usage;
    expect(await used()).toEqual({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costCents: 0 });
    const first = usage(0, { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10, costMicros: 12_000 });
    await runner.tell(order, [first]);
    await runner.tell(order, [first, usage(1, { outputTokens: 5, costMicros: 3_000 })]);
    const sum = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 15, costCents: 2 };
    expect(await used()).toEqual(sum);
    await runner.settle(order, {}, [usage(2, { inputTokens: 1 })]);
    expect(await used()).toEqual({ ...sum, inputTokens: 101 });
  });

  test("events are told in pages, forward from any of them", async () => {
    const order = await begun();
    await runner.tell(
      order,
      Array.from({ length: 7 }, (_, n) => line(n, "x")),
    );
    const seqs: number[] = [];
    let cursor: string | undefined;
    do {
      const query = { after: 1, limit: 3, ...(cursor && { cursor }) };
      const page = await ground.board.runs.events({ ...at(order), query });
      seqs.push(...page.items.map(({ seq }) => seq));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(seqs).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test("who follows a run, on any server, is told everything as it comes, and that it is over", async () => {
    const sibling = await ground.sibling();
    company = await ground.company();
    runner = await company.runner();
    const { id: runId } = await ground.wake((await company.agent()).id);
    const heard = { count: 0, tell: () => undefined as unknown };
    const collect = async (board: typeof ground.board, after = 0): Promise<RunEvent[]> => {
      const events: RunEvent[] = [];
      for await (const event of board.runs.events.follow({ params: { runId }, query: { after } })) {
        events.push(event);
        heard.count += 1;
        heard.tell();
      }
      return events;
    };
    const following = Promise.all([collect(sibling.board), collect(ground.board), collect(sibling.board, 2)]);
    const order = await runner.begin();
    for (let n = 0; n < 4; n += 1) {
      const wanted = [2, 4, 7, 10][n] ?? 0;
      const reached = new Promise<void>((resolve) => {
        heard.tell = () => (heard.count >= wanted ? resolve() : undefined);
      });
      await runner.tell(order, [line(n, `${n}`)]);
      await reached;
    }
    await runner.settle(order, {}, [line(4, "last")]);
    const [there, here, later] = await following;
    const texts = ["0", "1", "2", "3", "last"];
    for (const events of [there, here]) expect(events?.map(({ text }) => text)).toEqual(texts);
    expect(later?.map(({ text }) => text)).toEqual(texts.slice(2));
    expect(there).toEqual(await eventsOf(order));
  });

  test("a stream that broke off is taken up after the last event that arrived", async () => {
    const order = await begun();
    await runner.tell(
      order,
      Array.from({ length: 5 }, (_, n) => line(n, `${n}`)),
    );
    await runner.settle(order);
    const headers = { accept: "text/event-stream", "last-event-id": "3" };
    const response = await fetch(`${ground.server.url}/api/heartbeat-runs/${order.runId}/events?after=1`, { headers });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const text = await response.text();
    expect(text.match(/^id: .*$/gm)).toEqual(["id: 4", "id: 5"]);
    expect(text.trimEnd()).toMatch(/event: end\ndata: \{\}$/);
  });

  test("P1: nobody of another company reads it; what is not there is said not to be", async () => {
    const order = await begun();
    await runner.tell(order, [line(0, "ours")]);
    const other = await ground.company();
    const stranger = await ground.key((await other.agent()).id);
    await ground.refused("other_company", () => stranger.runs.get(at(order)));
    await ground.refused("other_company", () => stranger.runs.events({ ...at(order), query: {} }));
    await ground.refused("other_company", () => stranger.runs.log(at(order)));
    await ground.refused("other_company", () => stranger.runs.events.follow({ ...at(order), query: {} }).next());
    const nowhere = at({ runId: company.id });
    await ground.refused("not_found", () => ground.board.runs.events({ ...nowhere, query: {} }));
    await ground.refused("not_found", () => ground.board.runs.log(nowhere));
    expect(await logOf(order)).toBe("ours");
  });

  test("what cannot be stored is refused whole, and in so many words", async () => {
    const order = await begun();
    const bad = [
      line(0, "a\u0000b"),
      { kind: "message", stream: "stdout", offset: 0, length: 3, data: { text: "a\u0000b" } },
      { kind: "message", stream: "stdout", offset: 0, length: 3, data: { "a\u0000b": 1 } },
      { kind: "output", stream: "stdout", offset: 0, length: 3, base64: "no base64!" },
      { kind: "output", stream: "stdout", offset: -1, length: 3, text: "x" },
    ] as const;
    for (const event of bad) {
      await ground.refused("invalid_request", () => runner.tell(order, [line(0, "fine"), event]));
    }
  });
});
