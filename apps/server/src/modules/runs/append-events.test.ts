import type { ToldEvent } from "@roster/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appended, type Progress, type StoredEvent } from "./append-events.ts";

const nothing: Progress = {
  lastSeq: 0,
  storedStdout: 0,
  storedStderr: 0,
  logBytes: 0,
  logTruncated: false,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  session: null,
};
const output = (offset: number, text: string, stream: ToldEvent["stream"] = "stdout"): ToldEvent => ({
  kind: "output",
  stream,
  offset,
  length: text.length,
  text,
});
const usage = (data: ToldEvent["data"]): ToldEvent => ({ kind: "usage", stream: "stdout", offset: 0, length: 1, data });

/** What a program printed, as units: lines with one to three events each, of both streams. */
const units = fc
  .array(
    fc.record({
      stream: fc.constantFrom("stdout" as const, "stderr" as const),
      text: fc.string({ minLength: 1, maxLength: 12 }),
      more: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 30 },
  )
  .map((lines) => {
    const ends = { stdout: 0, stderr: 0 };
    return lines.map(({ stream, text, more }): ToldEvent[] => {
      const offset = ends[stream];
      ends[stream] += text.length;
      const message = { kind: "message", stream, offset, length: text.length, data: { text } } as const;
      return [output(offset, text, stream), ...Array.from({ length: more }, () => message)];
    });
  });

describe("appending events", () => {
  test("however they are cut into calls, and however far each call goes back, each is stored once and in order", () => {
    fc.assert(
      fc.property(units, fc.infiniteStream(fc.nat(8)), fc.infiniteStream(fc.nat(8)), (told, ahead, back) => {
        const stored: StoredEvent[] = [];
        let progress = nothing;
        for (let at = 0; at < told.length; ) {
          const from = Math.max(at - (back.next().value ?? 0), 0);
          const to = Math.min(at + 1 + (ahead.next().value ?? 0), told.length);
          const { events, after } = appended(progress, told.slice(from, to).flat());
          stored.push(...events);
          progress = after;
          at = to;
        }
        const once = appended(nothing, told.flat());
        expect(stored).toEqual(once.events);
        expect(progress).toEqual(once.after);
        expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
        expect(stored.map(({ kind }) => kind)).toEqual(told.flat().map(({ kind }) => kind));
      }),
    );
  });

  test("the log is what was printed, in the order of arrival, and each piece knows where it stands", () => {
    const bytes = Buffer.from([0, 255, 10]);
    const { events, after } = appended(nothing, [
      output(0, "größer"),
      { kind: "message", stream: "stdout", offset: 6, length: 1, data: {} },
      { kind: "output", stream: "stderr", offset: 0, length: 3, base64: bytes.toString("base64") },
    ]);
    expect(events.map(({ logOffset }) => logOffset)).toEqual([0, null, 8]);
    expect(Buffer.concat(events.flatMap(({ content }) => content ?? []))).toEqual(
      Buffer.concat([Buffer.from("größer"), bytes]),
    );
    expect(after).toMatchObject({ lastSeq: 3, logBytes: 11, storedStdout: 7, storedStderr: 3, logTruncated: false });
  });

  test("a gap says in the log how much was left out, and that something was", () => {
    const gap: ToldEvent = { kind: "gap", stream: "stdout", offset: 3, length: 900, data: { bytes: 900 } };
    const { events, after } = appended(nothing, [output(0, "one"), gap, output(903, "two")]);
    const log = Buffer.concat(events.flatMap(({ content }) => content ?? [])).toString();
    expect(log).toBe("one\n[… 900 bytes were left out here …]\ntwo");
    expect(after).toMatchObject({ storedStdout: 906, logTruncated: true, logBytes: Buffer.byteLength(log) });
  });

  test("usage is added up; what is no amount counts for nothing", () => {
    const { after } = appended(nothing, [
      usage({ inputTokens: 10, outputTokens: 5, costMicros: 1200.4 }),
      usage({ inputTokens: 1, cachedInputTokens: 7, model: "some", costMicros: -5 }),
      usage({ inputTokens: "9", outputTokens: null, costMicros: [1] }),
      { kind: "usage", stream: "stdout", offset: 0, length: 1 },
    ]);
    expect(after).toMatchObject({ inputTokens: 11, cachedInputTokens: 7, outputTokens: 5 });
  });

  test("more than the log may have is left out and said to be, whoever sends it; the events are kept", () => {
    const large = "x".repeat(7 * 1_048_576);
    const { events, after } = appended(nothing, [
      output(0, large),
      output(large.length, large),
      output(0, "!", "stderr"),
    ]);
    expect(events.map(({ content }) => content?.length ?? null)).toEqual([large.length, null, 1]);
    expect(after).toMatchObject({ lastSeq: 3, logBytes: large.length + 1, logTruncated: true });
  });
});
