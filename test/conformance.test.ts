import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { allOperations, refusalStatus, refusalStatusInBody } from "@roster/contract";
import ts from "typescript";
import { expect, test } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A line of the page: what is promised, where it is made true, and what shows it. */
interface Row {
  readonly statement: string;
  readonly where: string;
  readonly shownBy: string;
}

const cellsOf = (line: string): string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

const rows: Row[] = readFileSync(join(root, "docs/conformance.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\| (?:statement|---) \|/.test(line))
  .map((line) => {
    const [statement = "", where = "", shownBy = "", ...more] = cellsOf(line);
    expect(more, line).toEqual([]);
    return { statement, where, shownBy };
  });

const sourceFiles = ["apps", "packages", "scripts", "test"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:ts|mjs|sql)$/.test(path) && !path.includes("node_modules"))
    .map((path) => join(folder, path)),
);

/** The files that a row means by the end of their path. */
const filesNamed = (name: string): string[] => sourceFiles.filter((path) => `/${path}`.endsWith(`/${name}`));

const operations = allOperations().map(({ name }) => name);
const namesIn = (cell: string): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);
const isFile = (name: string): boolean => /\.(?:ts|mjs|sql)$/.test(name);

const titles = new Map<string, string[]>();

/** Titles of the tests of a file, each with those of the groups around it; what is computed is …. */
function titlesOf(path: string): string[] {
  const known = titles.get(path) ?? titlesIn(ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), 99), "");
  titles.set(path, known);
  return known;
}

function titlesIn(node: ts.Node, group: string): string[] {
  const called = ts.isCallExpression(node) ? calledBy(node.expression) : "";
  const [named] = ts.isCallExpression(node) ? node.arguments : [];
  const isTest = called === "test" || called === "it";
  const title = named === undefined || !(isTest || called === "describe") ? group : `${group} ${textOf(named)}`.trim();
  const inside: string[] = isTest && title !== group ? [title] : [];
  ts.forEachChild(node, (child) => void inside.push(...titlesIn(child, title)));
  return inside;
}

/** `test` of `test(…)`, `test.each(…)(…)` and the like. */
function calledBy(node: ts.Node): string {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) ? calledBy(node.expression) : "";
}

function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return "…";
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join("…");
}

test("the page is there, and each row has a statement, where it is made true and what shows it", () => {
  expect(rows.length).toBeGreaterThan(300);
  for (const { statement, where, shownBy } of rows) {
    expect(statement).not.toBe("");
    expect(namesIn(where), statement).not.toEqual([]);
    expect(shownBy, statement).toMatch(/^`[\w./-]+\.test\.ts` "[^"]+"(; `[\w./-]+\.test\.ts` "[^"]+")*$/);
  }
});

test("no row is there twice in one place, and none is left open", () => {
  const same = rows.map(({ statement, where }) => `${statement} (${where})`);
  expect(same.filter((row, index) => same.indexOf(row) !== index)).toEqual([]);
  for (const { statement, where, shownBy } of rows) {
    expect(`${where} ${shownBy}`, statement).not.toMatch(/\b(?:open|none|later|todo|tbd)\b *(?:$|;)/i);
  }
});

test("every operation and every file that a row names is there", () => {
  const named = rows.flatMap(({ where }) => namesIn(where));
  const missing = named.filter((name) => !(isFile(name) ? filesNamed(name).length > 0 : operations.includes(name)));
  expect([...new Set(missing)]).toEqual([]);
});

test("every test that a row names is there, under a title that has its words", () => {
  const missing = rows.flatMap(({ shownBy }) =>
    Array.from(shownBy.matchAll(/`([^`]+)` "([^"]+)"/g), ([whole, file = "", words = ""]) => ({ whole, file, words }))
      .filter(
        ({ file, words }) => !filesNamed(file).some((path) => titlesOf(path).some((title) => title.includes(words))),
      )
      .map(({ whole }) => whole),
  );
  expect([...new Set(missing)]).toEqual([]);
});

test("every operation of the contract has a row", () => {
  const named = new Set(rows.flatMap(({ where }) => namesIn(where)));
  expect(operations.filter((name) => !named.has(name))).toEqual([]);
});

test("every code of a refusal has a row that begins with its status and itself", () => {
  const wanted = [...Object.entries(refusalStatus), ...Object.entries(refusalStatusInBody)];
  const lacking = wanted
    .map(([code, status]) => `${status} \`${code}\``)
    .filter(
      (words) =>
        !rows.some(
          ({ statement }) =>
            statement === words || statement.startsWith(`${words}:`) || statement.startsWith(`${words},`),
        ),
    );
  expect(lacking).toEqual([]);
});
