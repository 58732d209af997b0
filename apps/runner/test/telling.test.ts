import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findAdapter } from "@roster/adapters";
import { toldEvent } from "@roster/contract";
import { PatternAutomaton, Scrubber, secretForms } from "@roster/scrubber";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { makeSpool, type Spool, spoolAt } from "../src/spool.ts";
import { HeadAndTail } from "../src/telling/head-and-tail.ts";
import { OutputTeller } from "../src/telling/output-teller.ts";
import { storable } from "../src/telling/storable.ts";
import { mostJsonBytes, mostUnitBytes, type Unit, UnitCutter } from "../src/telling/units.ts";
import { logOf, store, type Told } from "./fixture/control-plane.ts";
import { plainOrder } from "./fixture/runner-process.ts";

const secret = "secret-value-1";

/** The units of the bytes when they come in pieces that end at the given places. */
function unitsOf(bytes: Buffer, cuts: readonly number[], secrets: readonly string[] = []): Unit[] {
  const scrubber = new Scrubber(new PatternAutomaton(secretForms(secrets)));
  const cutter = new UnitCutter();
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  const pieces = ends.flatMap((end, index) => scrubber.push(bytes.subarray(ends[index - 1] ?? 0, end)));
  return [...[...pieces, ...scrubber.end()].flatMap((piece) => cutter.push(piece)), ...cutter.end(bytes.length)];
}

const words = (units: readonly Unit[]) => units.map(({ offset, length, content }) => [offset, length, `${content}`]);

describe("units", () => {
  const long = "é".repeat(mostUnitBytes / 2 + 3);
  const fragments = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("\n", "a", "é", "€", "😀", "{", "\r\n", secret, secret.slice(0, 9), "\0") },
    { weight: 1, arbitrary: fc.constantFrom(long, "x".repeat(mostUnitBytes), `{"a":"${"x".repeat(mostUnitBytes)}`) },
  );
  const output = fc.array(fragments, { maxLength: 30 }).map((parts) => Buffer.from(parts.join("")));

  it("depend on the bytes alone, however those come in pieces", () => {
    const cuts = fc.array(fc.nat(400_000), { maxLength: 20 });
    const property = fc.property(output, cuts, (bytes, at) => {
      expect(words(unitsOf(bytes, at, [secret]))).toEqual(words(unitsOf(bytes, [], [secret])));
    });
    fc.assert(property, { numRuns: 60 });
  });

  it("cover every byte of the source once, and hold all of the scrubbed text", () => {
    const property = fc.property(output, (bytes) => {
      const units = unitsOf(bytes, [], [secret]);
      const ends = units.map(({ offset, length }) => offset + length);
      expect(units.map(({ offset }) => offset)).toEqual([0, ...ends].slice(0, units.length));
      expect(ends.at(-1) ?? 0).toBe(bytes.length);
      expect(Buffer.concat(units.map(({ content }) => content)).toString()).toBe(
        bytes
          .toString()
          .replaceAll(secret, "[redacted]")
          .replaceAll(/(\[redacted\])+/g, "[redacted]"),
      );
    });
    fc.assert(property, { numRuns: 60 });
  });

  it("are lines; what is longer is cut between characters, and a line that begins as JSON only much later", () => {
    const lengths = (text: string) => unitsOf(Buffer.from(text), []).map(({ length }) => length);
    expect(lengths("a\nbc\n\nd")).toEqual([2, 3, 1, 1]);
    expect(lengths(`${"x".repeat(mostUnitBytes - 1)}é`)).toEqual([mostUnitBytes - 1, 2]);
    expect(lengths(`{${"x".repeat(300_000)}}\n`)).toEqual([300_003]);
    expect(lengths(`{${"x".repeat(mostJsonBytes)}`)).toEqual([mostJsonBytes, 1]);
    expect(lengths(`${"x".repeat(mostUnitBytes)}{${"x".repeat(mostUnitBytes)}`)).toEqual([
      mostUnitBytes,
      mostUnitBytes,
      1,
    ]);
  });
});

describe("data of events", () => {
  it("is as a database takes it", () => {
    expect(storable({ "a\0": ["\0", "\ud800", Number.POSITIVE_INFINITY, null, true, { b: undefined }] })).toEqual({
      "a\ufffd": ["\ufffd", "\ufffd", null, null, true, {}],
    });
    expect(storable(JSON.parse(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`))).toBeNull();
    expect(Object.keys(storable(JSON.parse('{"__proto__":1}')) ?? {})).toEqual(["__proto__"]);
  });
});

describe("output told", () => {
  let spool: Spool;
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), "roster-telling-"));
    spool = spoolAt(join(folder, "spool"));
    await makeSpool(spool, null);
    return () => rm(folder, { recursive: true });
  });

  /** Tells into `told`, up to and without the call with this number, as a runner that is killed there. */
  async function tell(told: Told, untilCall = Number.POSITIVE_INFINITY): Promise<void> {
    const { runId, companyId, agentId, service, prompt } = plainOrder("x");
    const files = { cwd: "/", ownFolder: "/own", instructionsFile: null, skillsFolder: null };
    const rest = { ...files, environment: {}, session: null, capMicros: null };
    const ids = { runId, companyId, agentId, service, prompt };
    const translator = findAdapter("process")?.translator({ ...ids, ...rest, settings: { command: "x" } });
    if (translator === undefined) throw new Error("no adapter");
    let calls = 0;
    const teller = new OutputTeller({
      secrets: [secret],
      stored: { ...told.stored },
      post: async (events) => {
        calls += 1;
        if (calls >= untilCall) throw new Error("killed");
        expect(JSON.stringify(events).length).toBeLessThan(8 * 1024 * 1024);
        for (const event of events) toldEvent.parse(event);
        store(told, events);
      },
    });
    await teller.tell({ spool, ended: Promise.resolve(), translator });
    store(told, await teller.close(translator));
  }

  const nothing = (): Told => ({ events: [], stored: { stdout: 0, stderr: 0 }, calls: 0 });
  const message = (n: number) => `{"type":"message","text":"${n}"}\n`;
  const line = (n: number) => `${`line ${n} `.padEnd(99, "x")}\n`;

  it("is whole below 10 MiB, and beyond it beginning and end are, with how much was left out between", async () => {
    const lines = Array.from({ length: 150_000 }, (_, n) => line(n));
    await writeFile(spool.stdout, lines.join(""));
    await writeFile(spool.stderr, "x\n".repeat(400_000));
    const told = nothing();
    await tell(told);
    const all = lines.join("");
    const log = logOf(told).toString();
    const gaps = told.events.filter(({ kind }) => kind === "gap");
    const left = Number(gaps[0]?.data?.["bytes"]);
    expect(gaps).toHaveLength(1);
    expect(log.length + left).toBe(all.length);
    expect(log.length).toBeGreaterThan(8 * 1024 * 1024);
    expect(log.length).toBeLessThan(8.2 * 1024 * 1024);
    const head = log.slice(0, 4 * 1024 * 1024 - 100);
    expect(all.startsWith(head)).toBe(true);
    expect(all.endsWith(log.slice(-4 * 1024 * 1024))).toBe(true);
    expect(logOf(told, "stderr").length).toBe(800_000);
  });

  it("keeps every event that is no output, however much output there is", async () => {
    const parts = Array.from({ length: 120_000 }, (_, n) => (n % 100 === 0 ? message(n) : line(n)));
    await writeFile(spool.stdout, parts.join(""));
    const told = nothing();
    await tell(told);
    const texts = told.events.filter(({ kind }) => kind === "message").map(({ data }) => Number(data?.["text"]));
    expect(texts).toEqual(Array.from({ length: 1200 }, (_, n) => n * 100));
  });

  it("by several runners, each killed somewhere, is what one alone would have told", async () => {
    const parts = Array.from({ length: 120_000 }, (_, n) => (n % 1000 === 0 ? message(n) : line(n)));
    await writeFile(spool.stdout, `${parts.join("")}${secret} and no end`);
    await writeFile(spool.stderr, Array.from({ length: 30_000 }, (_, n) => line(n)).join(""));
    const alone = nothing();
    await tell(alone);
    const many = nothing();
    for (const call of [1, 2, 5, 9, 3, 12, 8, 2]) {
      await expect(tell(many, call)).rejects.toThrow("killed");
    }
    await tell(many);
    for (const stream of ["stdout", "stderr"] as const) {
      expect(logOf(many, stream).equals(logOf(alone, stream))).toBe(true);
      const others = (told: Told) => told.events.filter((event) => event.kind !== "output" && event.stream === stream);
      expect(others(many)).toEqual(others(alone));
    }
    expect(many.stored).toEqual(alone.stored);
    expect(logOf(alone).toString().endsWith("[redacted] and no end")).toBe(true);
  });
});

describe("head and tail", () => {
  const entry = (offset: number, text: string) => {
    const content = Buffer.from(text);
    return { kind: "output", stream: "stdout", offset, length: content.length, content, data: null } as const;
  };

  it("below the limit together leave nothing out", () => {
    const share = new HeadAndTail({ headBytes: 4, tailBytes: 10 });
    expect([entry(0, "abc\n"), entry(4, "defg\n"), entry(9, "h\n")].map((each) => share.passes(each))).toEqual([
      true,
      false,
      false,
    ]);
    expect(share.rest("stdout", 11)).toMatchObject([{ kind: "output", offset: 11, length: 7 }]);
  });

  it("of a stream that fits are all head", () => {
    const share = new HeadAndTail({ headBytes: 4, tailBytes: 10 });
    expect(share.passes(entry(0, "abc\n"))).toBe(true);
    expect(share.rest("stdout", 4)).toEqual([]);
  });
});
