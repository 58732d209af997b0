/**
 * Makes of the client what any project can install, with the contract inside: one JavaScript file, its types, the
 * README and the licence. `node scripts/pack-client.mjs <folder>`, then `npm pack <folder>` or `npm publish <folder>`.
 */
import { realpathSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const entry = "packages/client/src/index.ts";
const contract = "packages/contract/src/index.ts";
const copies = ["packages/client/README.md", "LICENSE"];

/** Packs the client of a tree into a folder, which is empty or not there yet. */
export async function packClient(root, folder) {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty; name a folder that is.`);
  await bundleClient(root, folder);
  await writeTypes(root, join(folder, "types"));
  await writeFile(join(folder, "package.json"), `${JSON.stringify(await manifestOf(root), null, 2)}\n`);
  for (const path of copies) await cp(join(root, path), join(folder, basename(path)));
}

async function bundleClient(root, folder) {
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: root,
    entryPoints: { index: entry },
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    external: ["zod"],
    logLevel: "warning",
  });
}

/** The declarations of the client and of the contract, each under the name of its package. */
async function writeTypes(root, into) {
  const { default: ts } = await import("typescript");
  const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const emitting = { noEmit: false, declaration: true, emitDeclarationOnly: true, incremental: false };
  const { tsBuildInfoFile: _, ...others } = options;
  const entries = [entry, contract].map((path) => join(root, path));
  const program = ts.createProgram(entries, { ...others, ...emitting, outDir: into, rootDir: root });
  const written = [];
  const { diagnostics } = program.emit(undefined, (path, text) => {
    const [, name, , ...rest] = relative(into, path).split(sep);
    written.push({ path: join(into, name, ...rest), text: asInstalled(text) });
  });
  const [first] = diagnostics;
  if (first !== undefined) throw new Error(ts.flattenDiagnosticMessageText(first.messageText, "\n"));
  for (const { path, text } of written) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** Imports as they are right between the files that are written. */
const asInstalled = (text) =>
  text.replaceAll('"@roster/contract"', '"../contract/index.js"').replace(/("\.[^"\n]*)\.ts"/g, '$1.js"');

async function manifestOf(root) {
  const read = async (path) => JSON.parse(await readFile(join(root, path, "package.json"), "utf8"));
  const { name, version, description } = await read("packages/client");
  const { dependencies } = await read("packages/contract");
  const { license, engines } = await read(".");
  return {
    ...{ name, version, description, license, type: "module", sideEffects: false, engines, dependencies },
    exports: { ".": { types: "./types/client/index.d.ts", default: "./index.js" } },
  };
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv;
  if (folder === undefined) {
    console.error("Say where to: node scripts/pack-client.mjs <folder>");
    process.exit(1);
  }
  await packClient(dirname(dirname(fileURLToPath(import.meta.url))), resolve(folder)).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
