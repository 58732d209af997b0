import { expect, test } from "vitest";
import { scrubTexts } from "./scrub-texts.ts";

const secret = "correct-horse-battery";

test("in every text of a value, names included, a secret is redacted in every form; all else stays", () => {
  const value = {
    message: `it is ${secret}, and once more ${Buffer.from(secret).toString("base64")}`,
    nested: [{ [secret]: 1, rest: null }, true, 12.5, "nothing here: ü"],
  };
  const scrubbed = scrubTexts(value, [secret]);
  expect(scrubbed).toEqual({
    message: expect.stringMatching(/^it is \[redacted\], and once more \[redacted\].{0,4}$/),
    nested: [{ "[redacted]": 1, rest: null }, true, 12.5, "nothing here: ü"],
  });
});

test("without secrets everything stays as it is", () => {
  const value = { a: ["b", { c: "d" }] };
  expect(scrubTexts(value, [])).toEqual(value);
});
