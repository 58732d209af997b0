import { expect, test } from "vitest";
import { slugOf } from "./slug.ts";

test.each([
  ["Code Review", "x", "code-review"],
  ["  Überprüfung!  ", "x", "uberprufung"],
  ["C++ & Rust", "x", "c-rust"],
  ["../../etc", "x", "etc"],
  ["レビュー", "code-review", "code-review"],
])("the slug of %s in the folder %s is %s", (name, folder, slug) => {
  expect(slugOf(name, folder)).toBe(slug);
});

test("names without a Latin letter or folder do not meet in one slug", () => {
  expect(slugOf("レビュー", "")).toMatch(/^skill-[0-9a-f]{8}$/);
  expect(slugOf("レビュー", "")).toBe(slugOf("レビュー", "資料"));
  expect(slugOf("レビュー", "")).not.toBe(slugOf("資料", ""));
});

test("a slug never looks like an id", () => {
  expect(slugOf("3F2504E0-4F89-41D3-9A0C-0305E82C3301", "")).toBe("skill-3f2504e0-4f89-41d3-9a0c-0305e82c3301");
});
