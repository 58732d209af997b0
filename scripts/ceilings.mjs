// The ceilings of the house style, checked for every source file, without an allow-list: a file, function, parameter
// list or nesting that is too large is split, never excused. Biome has a rule for some of them, none for all: this is
// the one place. It also refuses what would switch a check off, notes for later, and names that say nothing.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import ts from "typescript";

const FUNCTION_LINES = 60;
const PARAMETERS = 4;
const NESTING = 3;
const FILE_LINES = 300;
const LONG_FILE_LINES = 500;

// Data, tables of cases and compositions read from top to bottom: long is not complicated there.
const LONG_FILES = [/^packages\/contract\/src\//, /\.test\.tsx?$/, /^apps\/web\/src\/.*-page\.tsx$/];

const CODE = /\.(?:ts|tsx|mts|cts|js|mjs|cjs)$/;
const SOURCE = /(?:\.(?:ts|tsx|mts|cts|js|mjs|cjs|css|html|sql|sh|yml|yaml)|^\.ci\/run)$/;

// Written so that this file does not contain what it forbids.
const FORBIDDEN_TEXT = [
  { pattern: /@ts-(?:ignore|nocheck)/, why: "makes the compiler look away; fix the type" },
  { pattern: /biome-[i]gnore/, why: "makes the linter look away; fix the code, or the rule for everyone" },
  { pattern: /\b(?:TO[D]O|FIX[M]E|X[X]X)\b/, why: "is a note for later; do it, or decide it and say why" },
];

const FORBIDDEN_NAMES = new Set(["util", "helper", "service", "manager", "type"].flatMap((name) => [name, `${name}s`]));

function listFiles() {
  // Also what is not committed yet. The folder may belong to another account than the one that checks it.
  const args = [
    "-c",
    "safe.directory=*",
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
    "--deduplicate",
  ];
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
    .split("\0")
    .filter((path) => path !== "");
}

function readSource(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // Deleted, but the deletion is not committed yet.
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

function checkName(path, report) {
  const words = [...dirname(path).split("/"), basename(path).replace(/\..*$/, "")];
  for (const word of words) {
    if (FORBIDDEN_NAMES.has(word)) report(1, `the name "${word}" says nothing; name the one concept it holds`);
  }
}

function checkText(text, report) {
  for (const [index, line] of text.split("\n").entries()) {
    for (const { pattern, why } of FORBIDDEN_TEXT) {
      const found = pattern.exec(line);
      if (found) report(index + 1, `"${found[0]}" ${why}`);
    }
  }
}

function checkFileLength(path, text, report) {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const ceiling = LONG_FILES.some((pattern) => pattern.test(path)) ? LONG_FILE_LINES : FILE_LINES;
  if (lines > ceiling) report(ceiling + 1, `the file has ${lines} lines, the ceiling is ${ceiling}; split it`);
}

function functionName(node) {
  const named = node.name ?? node.parent?.name;
  return named && ts.isIdentifier(named) ? `"${named.text}"` : "this function";
}

/** A `describe` body groups cases as a file groups functions; the cases in it are the functions. */
function isDescribeBody(node) {
  if (!ts.isCallExpression(node.parent) || !node.parent.arguments.includes(node)) return false;
  let callee = node.parent.expression;
  while (!ts.isIdentifier(callee)) {
    if (!ts.isCallExpression(callee) && !ts.isPropertyAccessExpression(callee)) return false;
    callee = callee.expression;
  }
  return callee.text === "describe";
}

function checkFunction(node, lineOf, report) {
  const start = lineOf(node.getStart());
  const lines = lineOf(node.getEnd()) - start + 1;
  const parameters = node.parameters.filter((parameter) => parameter.name.getText() !== "this").length;
  const name = functionName(node);
  if (lines > FUNCTION_LINES && !isDescribeBody(node)) {
    report(start, `${name} has ${lines} lines, the ceiling is ${FUNCTION_LINES}; split it`);
  }
  if (parameters > PARAMETERS) {
    report(start, `${name} has ${parameters} parameters, the ceiling is ${PARAMETERS}; pass one object`);
  }
}

function isNesting(node) {
  if (ts.isIfStatement(node)) return !(ts.isIfStatement(node.parent) && node.parent.elseStatement === node);
  return ts.isIterationStatement(node, false) || ts.isSwitchStatement(node) || ts.isTryStatement(node);
}

function checkCode(path, text, report) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => file.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node, depth) => {
    const isFunction = ts.isFunctionLike(node) && node.body !== undefined;
    if (isFunction) checkFunction(node, lineOf, report);
    const inner = isFunction ? 0 : depth + (isNesting(node) ? 1 : 0);
    // Said once, where it starts, not again for everything below.
    if (inner === NESTING + 1 && inner > depth) {
      report(lineOf(node.getStart()), `nested ${inner} deep, the ceiling is ${NESTING}; return early, or split it`);
    }
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(file, 0);
}

function checkFile(path, report) {
  const text = readSource(path);
  if (text === null) return;
  checkName(path, report);
  checkText(text, report);
  if (!CODE.test(path)) return;
  checkFileLength(path, text, report);
  checkCode(path, text, report);
}

const problems = [];
const files = listFiles().filter((path) => SOURCE.test(path));
for (const path of files) {
  checkFile(path, (line, message) => problems.push(`${path}:${line}: ${message}`));
}
if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n\nceilings: ${problems.length} in ${files.length} files\n`);
  process.exit(1);
}
process.stdout.write(`ceilings: ${files.length} files, all below\n`);
