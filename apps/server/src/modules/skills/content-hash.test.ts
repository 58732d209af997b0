import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { contentHashOf } from "./content-hash.ts";

const files = (...entries: [string, string][]) => new Map(entries.map(([path, text]) => [path, Buffer.from(text)]));
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("the content hash is SHA-256 of the RFC 8785 form of the sorted list of paths and hashes", () => {
  const form = `[["SKILL.md","${sha256("a")}"],["é.txt","${sha256("b")}"]]`;
  expect(contentHashOf(files(["é.txt", "b"], ["SKILL.md", "a"]))).toBe(sha256(form));
});

test("the order of the files does not change it; a path, a byte and a further file do", () => {
  const hash = contentHashOf(files(["a", "1"], ["b", "2"]));
  expect(contentHashOf(files(["b", "2"], ["a", "1"]))).toBe(hash);
  const others = [
    files(["a", "1"], ["c", "2"]),
    files(["a", "1"], ["b", "3"]),
    files(["a", "1"]),
    files(["a", "12"], ["b", ""]),
  ];
  for (const other of others) expect(contentHashOf(other)).not.toBe(hash);
});
