import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { type Chunk, type Followed, follow } from "../src/follow.ts";
import { type Place, place, saying } from "./fixture/place.ts";

let here: Place;

beforeEach(async () => {
  here = await place();
  return async () => expect(await here.clear()).toEqual([]);
});

async function all(followed: Followed): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of follow(followed)) chunks.push(chunk);
  return chunks;
}

/** The text of a stream, and that each chunk starts where the one before has ended. */
function textOf(chunks: readonly Chunk[], stream: string, from = 0): string {
  let at = from;
  let text = "";
  for (const chunk of chunks.filter((each) => each.stream === stream)) {
    expect(chunk.offset).toBe(at);
    at += chunk.bytes.length;
    text += chunk.bytes.toString("latin1");
  }
  return text;
}

it("output is followed as it grows, and to the last byte", async () => {
  const run = await here.start({ script: "echo a; while ! test -e go; do sleep 0.02; done; echo b; echo c >&2" });
  const seen: Chunk[] = [];
  for await (const chunk of follow(run)) {
    seen.push(chunk);
    // It goes on only because the first piece was given out while it waits.
    await writeFile(join(here.folder, "go"), "");
  }
  expect(textOf(seen, "stdout")).toBe("a\nb\n");
  expect(textOf(seen, "stderr")).toBe("c\n");
  expect((await run.ended).exitCode).toBe(0);
});

it("output followed again from the start, or from any offset, is the same", async () => {
  const run = await here.start({ script: "seq 1 50000; seq 1 300 >&2" });
  const first = await all(run);
  const [stdout, stderr] = [textOf(first, "stdout"), textOf(first, "stderr")];
  expect(stdout.endsWith("\n50000\n")).toBe(true);
  const again = await all(run);
  expect([textOf(again, "stdout"), textOf(again, "stderr")]).toEqual([stdout, stderr]);
  const later = await all({ ...run, from: { stdout: 100_001, stderr: stderr.length } });
  expect(textOf(later, "stdout", 100_001)).toBe(stdout.slice(100_001));
  expect(textOf(later, "stderr", stderr.length)).toBe("");
});

it("output that its program has emptied is followed on, by whoever follows later under the same offsets", async () => {
  const wait = (name: string) => `while ! test -e ${name}; do sleep 0.02; done`;
  const script = `echo first line; echo gone; ${wait("go")}; echo new >/dev/stdout; ${wait("on")}; echo end`;
  const run = await here.start({ script });
  const seen: Chunk[] = [];
  for await (const chunk of follow(run)) {
    seen.push(chunk);
    const text = textOf(seen, "stdout");
    if (text.includes("gone")) await writeFile(join(here.folder, "go"), "");
    if (text.includes("new")) await writeFile(join(here.folder, "on"), "");
  }
  expect(textOf(seen, "stdout")).toBe("first line\ngone\nnew\nend\n");
  expect(textOf(await all(run), "stdout", "first line\ngone\n".length)).toBe("new\nend\n");
});

it("whoever stops following leaves no file open", async () => {
  const run = await here.start({ script: "echo a; exec sleep 1000" });
  await saying(run, "a");
  const before = (await readdir("/proc/self/fd")).length;
  for await (const _ of follow(run)) break;
  expect((await readdir("/proc/self/fd")).length).toBe(before);
  await run.end("cancelled", 20);
});
