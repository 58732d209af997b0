import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packClient } from "../../../scripts/pack-client.mjs";
import { answering, playServices } from "./fixture/played-service.ts";

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const companyId = "0198f000-0000-7000-8000-000000000002";

/** What another project writes. `@ts-expect-error` marks what its compiler has to refuse. */
const strangersCode = `
import { type Agent, createClient, isRefused, type Refused, Unanswered, versionOf } from "@roster/client";

const client = createClient({ baseUrl: process.argv[2] ?? "", retries: 1, timeoutMs: 5000 });
const company = await client.companies.create({ body: { name: "Acme" } });
const names: string[] = [];
for await (const agent of client.agents.list.all({ params: { companyId: company.id } })) {
  const one: Agent = agent;
  names.push(one.name);
}
try {
  await client.agents.get({ params: { agentId: "nobody" } });
} catch (error) {
  if (!isRefused(error, "not_found")) throw error;
  const refused: Refused & { code: "not_found" } = error;
  names.push(refused.code, String(refused instanceof Unanswered));
}
// @ts-expect-error a company needs a name
const wrong = () => client.companies.create({ body: {} });
// @ts-expect-error there is no such operation
const missing = () => client.companies.explode();
console.log(JSON.stringify([company.name, versionOf(company), ...names, typeof wrong, typeof missing]));
`;

describe("the client as a package", () => {
  const services = playServices();
  // Inside the tree, where what it depends on is found.
  let project: string;
  let installed: string;
  beforeAll(async () => {
    await mkdir(join(root, ".cache"), { recursive: true });
    project = await mkdtemp(join(root, ".cache", "stranger-"));
    installed = join(project, "node_modules", "@roster", "client");
    await packClient(root, installed);
    await writeFile(join(project, "package.json"), '{ "type": "module" }');
    await writeFile(join(project, "main.ts"), strangersCode);
  }, 120_000);
  afterAll(async () => {
    services.close();
    await rm(project, { recursive: true });
  });

  test("brings its types, its dependencies and its instructions, and nothing of our workspaces", async () => {
    const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ name: "@roster/client", type: "module", license: "MIT" });
    expect(Object.keys(manifest.dependencies)).toEqual(["zod"]);
    expect(manifest.private).toBeUndefined();
    const files = await readdir(installed, { recursive: true });
    expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "index.js"]));
    for (const file of files.filter((path) => /\.(js|d\.ts)$/.test(path))) {
      const text = await readFile(join(installed, file), "utf8");
      expect(text, file).not.toMatch(/from "(@roster|\.[^"]*\.ts)/);
    }
    await expect(packClient(root, project)).rejects.toThrow(/is not empty/);
  });

  test("is checked by another project's compiler, and runs there", async () => {
    const options: ts.CompilerOptions = {
      strict: true,
      noEmitOnError: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      types: ["node"],
      outDir: project,
    };
    const program = ts.createProgram([join(project, "main.ts")], options);
    const faults = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
    expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
    const refusal = answering({ error: "No.", code: "not_found", details: [], requestId: "r" }, {}, 404);
    const { url } = await services.play(
      {},
      answering({ id: companyId, name: "Acme" }, { etag: '"1"' }, 201),
      answering([{ name: "Ada" }]),
      refusal,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [join(project, "main.js"), url]);
    expect(JSON.parse(stdout)).toEqual(["Acme", 1, "Ada", "not_found", "false", "function", "function"]);
  }, 120_000);

  test("needs nothing that a browser does not have", async () => {
    const { metafile, outputFiles } = await build({
      absWorkingDir: root,
      stdin: { contents: `export * from "@roster/client";`, resolveDir: root },
      bundle: true,
      write: false,
      metafile: true,
      platform: "browser",
      format: "iife",
      globalName: "roster",
    });
    const inputs = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(inputs.filter((path) => path.startsWith("node:") || builtinModules.includes(path))).toEqual([]);
    const { url, asked } = await services.play({}, answering({ id: companyId, name: "Acme" }, {}, 201));
    const { fetch, Request, Response, Headers, URL, URLSearchParams, AbortController, AbortSignal } = globalThis;
    const { TextEncoder, TextDecoder, TextDecoderStream, ReadableStream, crypto, performance } = globalThis;
    const browser = createContext({
      ...{ fetch, Request, Response, Headers, URL, URLSearchParams, AbortController, AbortSignal },
      ...{ TextEncoder, TextDecoder, TextDecoderStream, ReadableStream, crypto, performance },
      ...{ setTimeout, clearTimeout },
    });
    runInContext(outputFiles[0]?.text ?? "", browser);
    const called = `roster.createClient({ baseUrl: "${url}" }).companies.create({ body: { name: "Acme" } })`;
    expect(await runInContext(called, browser)).toMatchObject({ name: "Acme" });
    expect(asked[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
  });
});
