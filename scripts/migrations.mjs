// Writes the next migration from the tables:  npm run migration -- <name>
// Checks that tables and migrations agree:    npm run migration -- --check
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { build } from "esbuild";

const folder = "apps/server/migrations";
const snapshotFile = join(folder, "meta", "snapshot.json");

/** The tables as modules, bundled because they are TypeScript and import each other by package name. */
async function loadTables() {
  const place = await mkdtemp("apps/server/.tables-");
  try {
    const outfile = join(place, "tables.mjs");
    await build({
      entryPoints: ["apps/server/src/tables.ts"],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      logLevel: "warning",
      plugins: [
        {
          name: "ours-only",
          setup: (plugin) =>
            plugin.onResolve({ filter: /^[^./]/ }, ({ path }) =>
              path.startsWith("@roster/") ? undefined : { path, external: true },
            ),
        },
      ],
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function readSnapshot() {
  const text = await readFile(snapshotFile, "utf8").catch(() => null);
  return text === null ? generateDrizzleJson({}) : JSON.parse(text);
}

const before = await readSnapshot();
const after = generateDrizzleJson(await loadTables(), before.id, undefined, "snake_case");
const statements = await generateMigration(before, after);
const name = process.argv[2];

if (name === "--check") {
  if (statements.length > 0) {
    console.error(`The tables have changed without a migration:\n${statements.join("\n")}`);
    process.exit(1);
  }
} else if (name === undefined || !/^[a-z0-9-]+$/.test(name)) {
  console.error("Give the migration a name: npm run migration -- add-issues");
  process.exit(2);
} else if (statements.length === 0) {
  console.log("The migrations already say what the tables say.");
} else {
  const count = (await readdir(folder)).filter((file) => file.endsWith(".sql")).length;
  const file = join(folder, `${String(count + 1).padStart(4, "0")}-${name}.sql`);
  await writeFile(file, `${statements.join("\n")}\n`);
  await writeFile(snapshotFile, `${JSON.stringify(after, null, 2)}\n`);
  console.log(`wrote ${file}`);
}
