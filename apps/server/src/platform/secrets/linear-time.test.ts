import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { looksSecret, redact, redactText, secretShapes } from "./index.ts";

// Sixteen times as much, and not more than a quadratic pattern ends with in seconds, so that the test can say so.
const SMALL = 16 * 1024;
const LARGE = 256 * 1024;
const HOPELESS_MS = 1_000;
const MOST_PER_BYTE = 4;

const fill = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);

// What a pattern of quadratic time would choke on: a start of every shape again and again, with nothing that ends it.
const starts = secretShapes.flatMap(({ name, example }) =>
  [3, 9].map((length) => [`${name}, ${length}`, example.slice(0, length)] as const),
);
const texts: [string, (length: number) => string][] = [
  ["one letter", (length) => fill("a", length)],
  ["one capital", (length) => fill("A", length)],
  ["digits", (length) => fill("1", length)],
  ["base64", (length) => randomBytes(length).toString("base64").slice(0, length)],
  ["letters and digits", (length) => fill("a1", length)],
  ["dots", (length) => fill("eyJaaaaaaaa.", length)],
  ["headers", (length) => fill("eyJaaaaaaaa.eyJaaaaaaaa.", length)],
  ["one header", (length) => `eyJ${fill("a", length - 3)}`],
  ["colons", (length) => `://${fill("a:", length - 3)}`],
  ["at signs", (length) => fill("://a:@", length)],
  ["many passwords", (length) => fill("://a:b@c", length)],
  ["one user", (length) => `://${fill("a", length - 3)}`],
  ["markers", (length) => fill("-----BEGIN PRIVATE KEY-----", length)],
  ["a key without end", (length) => `-----BEGIN PRIVATE KEY-----${fill("A", length - 27)}`],
  ["dashes", (length) => fill("-", length)],
  ["credentials", (length) => fill("Bearer\t", length)],
  ["one credential", (length) => `Bearer\t${fill("a", length - 7)}`],
  ["assignments", (length) => fill("token=", length)],
  ["quotes", (length) => fill('token="', length)],
  ["other quotes", (length) => fill("token='", length)],
  ["members", (length) => fill('token":"', length)],
  ["backslashes", (length) => `token":"${fill("\\", length - 8)}`],
  ["slashes", (length) => fill("/a", length)],
  ["uuid starts", (length) => fill("3f2504e0-4f89-41d3-", length)],
  ["beyond latin", (length) => fill("é漢", length)],
];

function timeOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function expectLinear(work: (text: string) => void, make: (length: number) => string): void {
  const [small, large] = [make(SMALL), make(LARGE)];
  let [ofSmall, ofLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // As many bytes on both sides and in turns, the best of several tries: so that a busy machine slows both alike.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const repeat = () => {
      for (let done = 0; done < LARGE; done += SMALL) work(small);
    };
    ofSmall = Math.min(ofSmall, timeOf(repeat));
    ofLarge = Math.min(
      ofLarge,
      timeOf(() => work(large)),
    );
    if (ofLarge > HOPELESS_MS) break;
  }
  // Below four nanoseconds a byte nothing can be told from the noise of the clock, and nothing needs to be.
  expect(ofLarge / Math.max(ofSmall, LARGE * 4e-6)).toBeLessThan(MOST_PER_BYTE);
}

// Tried again, because tests next door may take the processor at the wrong moment; quadratic work fails every time.
describe("the work per byte does not grow with the text", { retry: 2 }, () => {
  it.each(texts)("%s", (_, make) => {
    expectLinear((text) => redactText(text), make);
    expectLinear((value) => looksSecret({ name: "VALUE", value, inEnv: true }), make);
    expectLinear((name) => looksSecret({ name, value: "x", inEnv: true }), make);
  });

  it.each(starts)("%s", (_, start) => {
    expectLinear(
      (text) => redactText(text),
      (length) => fill(start, length),
    );
  });

  it("of many short texts below a long name", () => {
    const list = (length: number) => ({ [fill("secret-A", length / 2)]: Array(Math.ceil(length / 8)).fill("a") });
    expectLinear(
      (text) => redact(list(text.length)),
      (length) => fill("a", length),
    );
  });
});
