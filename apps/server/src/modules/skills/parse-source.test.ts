import { expect, test } from "vitest";
import { parseSource } from "./parse-source.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";

test.each([
  ["acme/skills", "https://github.com/acme/skills.git", "", null, "acme/skills"],
  ["Acme/Skills", "https://github.com/Acme/Skills.git", "", null, "acme/skills"],
  ["acme/skills.git", "https://github.com/acme/skills.git", "", null, "acme/skills"],
  ["acme/skills@v1", "https://github.com/acme/skills.git", "", "v1", "acme/skills"],
  ["acme/skills/a/b@feature/x", "https://github.com/acme/skills.git", "a/b", "feature/x", "acme/skills"],
  ["acme/skills/a/", "https://github.com/acme/skills.git", "a", null, "acme/skills"],
  ["acme/skills/a/SKILL.md", "https://github.com/acme/skills.git", "a", null, "acme/skills"],
  ["acme/skills/SKILL.md", "https://github.com/acme/skills.git", "", null, "acme/skills"],
  ["acme/skills@pkg@1.0.0", "https://github.com/acme/skills.git", "", "pkg@1.0.0", "acme/skills"],
  [`acme/.github@${commit}`, "https://github.com/acme/.github.git", "", commit, "acme/.github"],
  ["https://github.com/Acme/x.git", "https://github.com/Acme/x.git", "", null, "acme/x"],
  ["https://git.example/a/b/x.git", "https://git.example/a/b/x.git", "", null, "git.example/a/b/x"],
  ["https://Git.example:3000/x.git#a/b@v1", "https://git.example:3000/x.git", "a/b", "v1", "git.example:3000/x"],
  ["https://git.example/x.git@v1#2", "https://git.example/x.git", "", "v1#2", "git.example/x"],
  ["https://git.example/x.git/#a", "https://git.example/x.git", "a", null, "git.example/x"],
  ["http://inside/acme/x.git", "http://inside/acme/x.git", "", null, "inside:0/acme/x"],
])("%s is a repository", (text, ...expected) => {
  const [url, path, ref, keyPrefix] = expected;
  expect(parseSource(text)).toMatchObject({ kind: "git", path, ref, keyPrefix });
  expect(parseSource(text)).toHaveProperty("url.href", url);
});

test("an address that ends in SKILL.md is one file, an absolute path a folder", () => {
  const url = new URL("https://a.example/review/SKILL.md");
  expect(parseSource(url.href)).toEqual({ kind: "url", url });
  expect(parseSource("/srv/acme/skills")).toEqual({ kind: "folder", path: "/srv/acme/skills" });
});

test.each([
  "acme",
  "./skills",
  "../skills",
  "acme/..",
  "~/skills",
  "acme/skills/../x",
  "acme/skills//x",
  "acme/skills/a\\b",
  "acme/skills@",
  "acme/skills@-x",
  "acme/skills@--upload-pack=x",
  "acme/skills@+x",
  "acme/skills@a:b",
  "acme/skills@a..b",
  "acme/skills@a b",
  "acme/skills@HEAD~1",
  "acme/skills@HEAD^",
  "acme/skills@HEAD@{1}",
  "acme/skills@a.lock",
  `acme/skills@${"x".repeat(201)}`,
  "git@github.com:acme/skills.git",
  "ssh://git@github.com/acme/skills.git",
  "file:///etc/SKILL.md",
  "ext::sh -c id",
  "https://github.com/acme/skills",
  "https://github.com/acme/skills/tree/main/a",
  "https://a.example/SKILL.md?token=x",
  "https://a.example/skill.md",
  "https://me@git.example/x.git",
  "https://me@a.example/SKILL.md",
  "https://[/x.git",
])("%s is refused", (text) => {
  expect(() => parseSource(text)).toThrow(expect.objectContaining({ code: "invalid_request" }));
});
