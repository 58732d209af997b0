import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@roster/client";
import { contract } from "@roster/contract";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../scripts/build.mjs";
import { type Mode, type Running, withServer } from "./with-server.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const guide = read("docs/guide/client.md");
const signingIn = "\n## Where people sign in\n";

/** Blocks that are one program, and the Roster it runs on. */
interface Program {
  readonly name: string;
  readonly text: string;
  readonly mode: Mode;
}

const programs: readonly Program[] = [
  { name: "readme", text: read("packages/client/README.md"), mode: "local_trusted" },
  { name: "guide", text: guide.split(signingIn)[0] ?? "", mode: "local_trusted" },
  { name: "signing-in", text: guide.split(signingIn)[1] ?? "", mode: "authenticated" },
];

/** A block, and what the document shows as its output right after it. */
interface Block {
  readonly code: string;
  readonly shown: string | undefined;
}

const blocksOf = (text: string): Block[] =>
  Array.from(
    text.matchAll(/^```ts\n([\s\S]*?)^```$(?:\n\n```text\n([\s\S]*?)^```$)?/gm),
    ([, code = "", shown]): Block => ({ code, shown }),
  );

const mark = "=== the next block";
const sourceOf = ({ text }: Program): string =>
  blocksOf(text)
    .map(({ code }) => `console.log("${mark}");\n${code}`)
    .join("\n");

describe("the guide to the client", () => {
  // Inside the tree, where the packages are found.
  let folder: string;
  beforeAll(async () => {
    await mkdir(join(root, ".cache"), { recursive: true });
    folder = await mkdtemp(join(root, ".cache", "client-guide-"));
    for (const program of programs) await writeFile(join(folder, `${program.name}.ts`), sourceOf(program));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("has an example of every resource, under its name", () => {
    const code = blocksOf(guide).map((block) => block.code);
    const lacking = Object.keys(contract).filter((resource) => {
      const isCalled = code.some((block) => block.includes(`.${resource}.`));
      return !isCalled || !guide.includes(`\n### \`${resource}\`\n`);
    });
    expect(lacking).toEqual([]);
  });

  test("is right by the types", () => {
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    const files = programs.map(({ name }) => join(folder, `${name}.ts`));
    const checked = ts.createProgram(files, { ...options, incremental: false });
    const faults = files.flatMap((file) => {
      const source = checked.getSourceFile(file);
      return [...checked.getSyntacticDiagnostics(source), ...checked.getSemanticDiagnostics(source)];
    });
    expect(faults.map(sentenceOf)).toEqual([]);
  }, 120_000);

  test.each(programs)(
    "does and prints what it shows: $name",
    async (program) => {
      const outputs = await withServer(async (server) => {
        if (program.mode === "authenticated") await claimFor(server);
        return run(program, server);
      }, program.mode);
      const blocks = blocksOf(program.text);
      expect(outputs).toHaveLength(blocks.length);
      for (const [index, { code, shown = "" }] of blocks.entries()) expect(outputs[index], code).toBe(shown);
    },
    60_000,
  );

  /** The outputs of the blocks of a program. */
  async function run({ name }: Program, { url }: Running): Promise<string[]> {
    const source = join(folder, `${name}.ts`);
    const here = readFileSync(source, "utf8").replaceAll("http://localhost:3100", url);
    await writeFile(source, here);
    await bundle(root, [{ name, source }], join(folder, "built"));
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "built", `${name}.js`)]);
    return stdout.split(`${mark}\n`).slice(1);
  }
});

const sentenceOf = ({ file, start = 0, messageText }: ts.Diagnostic): string => {
  const line = file?.text.slice(start).split("\n")[0] ?? "";
  return `${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
};

/** Opens the account that the guide signs in with. */
async function claimFor({ url, userHome }: Running): Promise<void> {
  const token =
    readFileSync(join(userHome, ".roster", "claim.link"), "utf8")
      .trim()
      .split("#claim=")[1] ?? "";
  const client = createClient({ baseUrl: url, headers: { origin: url } });
  await client.auth.claim({
    body: { token, name: "Ada", email: "ada@example.com", password: "a long first password" },
  });
}
