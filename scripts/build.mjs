/**
 * Bundles our own sources into `dist/`, one file a program. Packages of others stay in node_modules.
 * `node scripts/build.mjs [folder]` builds into another folder of the tree than `dist`; with `--without-board` after it
 * the programs alone, for those that only start them.
 */
import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

const programs = [
  { name: "server", source: "apps/server/src/main.ts" },
  { name: "runner", source: "apps/runner/src/main.ts" },
  { name: "launcher", source: "apps/launcher/src/main.ts" },
  { name: "http-call", source: "packages/adapters/src/http/call/main.ts" },
];
const webConfig = "apps/web/vite.config.ts";
const copies = [{ from: "apps/server/migrations", to: "migrations" }];

// The board has the demo's agents in it, for its demo company.
const sourceFolders = ["packages", "apps", "demo"];
const otherInputs = ["package.json", "package-lock.json", "scripts/build.mjs"];
const neverInput = new Set(["node_modules", "dist", "test"]);

/** The name of everything that `build` reads; the same sources have the same hash on every machine. */
export async function sourceHash(root) {
  const folders = await Promise.all(sourceFolders.map((folder) => inputsIn(root, folder)));
  const paths = [...otherInputs, ...folders.flat()].sort();
  const contents = await Promise.all(paths.map((path) => readFile(join(root, path))));
  const hash = createHash("sha256");
  for (const [index, content] of contents.entries()) {
    hash.update(`${paths[index].split(sep).join("/")}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

async function inputsIn(root, folder) {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.name.startsWith(".") || neverInput.has(entry.name)) return [];
      if (entry.isDirectory()) return await inputsIn(root, path);
      return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat();
}

/** The hash of the sources that the folder was built from; null when it was not built. */
export async function builtHash(folder) {
  try {
    return JSON.parse(await readFile(join(folder, "build.json"), "utf8")).hash;
  } catch {
    return null;
  }
}

/** Builds into the folder, which is there as a whole or not at all. Answers the hash of the sources. */
export async function build(root, folder = join(root, "dist")) {
  // Before reading anything: sources that change meanwhile differ from this hash and are built again next time.
  const hash = await sourceHash(root);
  await mkdir(join(root, ".cache"), { recursive: true });
  const work = await mkdtemp(join(root, ".cache", "build-"));
  try {
    const fresh = join(work, "dist");
    await Promise.all([buildPrograms(root, fresh, hash), bundleWeb(root, join(fresh, "web"))]);
    await mkdir(dirname(folder), { recursive: true });
    if (existsSync(folder)) await rename(folder, join(work, "old"));
    await rename(fresh, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return hash;
}

/** Builds all but the board into a folder. */
async function buildPrograms(root, folder, hash) {
  await bundle(root, programs, folder);
  for (const { from, to } of copies) {
    if (existsSync(join(root, from))) await cp(join(root, from), join(folder, to), { recursive: true });
  }
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  await writeFile(join(folder, "build.json"), `${JSON.stringify({ hash, version })}\n`);
}

/** Builds the board into a folder, each asset beside its compressed forms. A tree without it has none. */
async function bundleWeb(root, into) {
  if (!existsSync(join(root, webConfig))) return;
  if (!existsSync(join(root, webConfig))) return;
  const { build: vite } = await import("vite");
  const { NODE_ENV: before } = process.env;
  // What is built is the same whatever the environment says: with another value React's own tests would be in it.
  process.env.NODE_ENV = "production";
  try {
    await vite({ configFile: join(root, "apps/web/vite.config.ts"), build: { outDir: into } });
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
  const assets = join(into, "assets");
  await Promise.all((await readdir(assets)).map((name) => compress(join(assets, name))));
}

async function compress(path) {
  const content = await readFile(path);
  // What is smaller than that fits into one packet anyway.
  if (content.length < 1400) return;
  await Promise.all([
    writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 })),
    writeFile(`${path}.br`, await promisify(brotliCompress)(content)),
  ]);
}

/** Under names that no source uses: the bundle has imports of its own. */
const bridge = [
  'import { createRequire as rosterCreateRequire } from "node:module";',
  "const require = rosterCreateRequire(import.meta.url);",
].join("\n");

/** Bundles programs of the tree (each a name and its source) into a folder of the tree: one file each. */
export async function bundle(root, sources, into) {
  const { build: esbuild } = await import("esbuild");
  await esbuild({
    absWorkingDir: root,
    entryPoints: sources.map(({ name, source }) => ({ in: source, out: name })),
    outdir: into,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: true,
    // A package that goes into a bundle may be CommonJS and ask for Node's own modules.
    banner: { js: bridge },
    logLevel: "warning",
    plugins: [othersStayOutside(root)],
  });
}

function othersStayOutside(root) {
  return {
    name: "others-stay-outside",
    setup(setup) {
      setup.onResolve({ filter: /^[^./#]/ }, ({ path, kind, resolveDir }) => {
        if (kind === "entry-point" || path.startsWith("@roster/")) return undefined;
        return isRootsOwn(root, resolveDir, path) ? { path, external: true } : undefined;
      });
    },
  };
}

/**
 * Whether the bundle, from `dist`, finds the same copy of a package as the file that imports it. It does not when a
 * workspace needs another version than the root has; that copy goes into the bundle.
 */
function isRootsOwn(root, importer, path) {
  const parts = path.split("/");
  const name = path.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
  for (let folder = importer; folder !== root && folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules", name))) return false;
  }
  return true;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const folder = process.argv[2] === undefined ? undefined : resolve(process.argv[2]);
  // What is wrong with the sources has been said by then, with the lines.
  const isProgramsOnly = folder !== undefined && process.argv[3] === "--without-board";
  const building = isProgramsOnly ? buildPrograms(root, folder, await sourceHash(root)) : build(root, folder);
  await building.catch(() => process.exit(1));
}
