// The module map: who may import whom. What each rule says in `comment` is what the person who breaks it reads.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const SERVER = "^apps/server/src/";
const MODULE = `${SERVER}modules/`;
// The list of all tables, for the tool that writes migrations: the one file that looks behind the doors.
const TABLE_LIST = `${SERVER}tables\\.ts$`;
const TEST = "(?:\\.test\\.tsx?$|/test/|^test/)";

function listFolders(path) {
  if (!existsSync(path)) return [];
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map((folder) => `${path}/${folder.name}`);
}

/** What a package exports, as patterns of files. */
function doorsOf(folder) {
  if (!existsSync(`${folder}/package.json`)) return [];
  const { exports = {} } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  return Object.values(exports).map((file) => `^${folder}/${file.replace("./", "").replaceAll(".", "\\.")}$`);
}

const packageDoors = [...listFolders("packages"), ...listFolders("apps")].flatMap(doorsOf);

// The folders of the platform that have a door; a folder without one is only a drawer of the platform.
const platformDoors = listFolders("apps/server/src/platform").filter((folder) => existsSync(`${folder}/index.ts`));

const doors = [
  {
    name: "module-door",
    comment: "A module has one door, its index.ts; nothing else of it is imported from another module.",
    from: { path: `${MODULE}([^/]+)/` },
    to: { path: `${MODULE}[^/]+/(?!index\\.ts$)`, pathNot: `${MODULE}$1/` },
  },
  {
    name: "module-door-from-outside",
    comment: "A module has one door, its index.ts; nothing else of it is imported, by the application neither.",
    from: { pathNot: [`${MODULE}[^/]+/`, TABLE_LIST] },
    to: { path: `${MODULE}[^/]+/(?!index\\.ts$)` },
  },
  {
    name: "table-list",
    comment: "The list of all tables lists tables.",
    from: { path: TABLE_LIST },
    to: { path: MODULE, pathNot: "/table\\.ts$" },
  },
  {
    name: "package-door",
    comment: "A package is imported by its name; nothing behind what it exports is.",
    from: { path: "^(packages|apps)/([^/]+)/" },
    to: { path: "^(?:packages|apps)/[^/]+/", pathNot: ["^$1/$2/", ...packageDoors] },
  },
  {
    name: "package-door-from-root",
    comment: "A package is imported by its name; nothing behind what it exports is.",
    from: { pathNot: "^(?:packages|apps)/" },
    to: { path: "^(?:packages|apps)/[^/]+/", pathNot: packageDoors },
  },
  {
    name: "package-by-name",
    comment: "Another package is imported as @roster/<name>, not by a path.",
    from: { path: "^(packages|apps)/([^/]+)/" },
    to: { path: "^(?:packages|apps)/", pathNot: "^$1/$2/", dependencyTypes: ["local"] },
  },
  ...platformDoors.map((folder) => ({
    name: "platform-door",
    comment: "A folder of the platform that has an index.ts is imported by it alone.",
    from: { pathNot: [`^${folder}/`, TABLE_LIST] },
    to: { path: `^${folder}/(?!index\\.ts$)` },
  })),
];

const SPEC = "^packages/adapters/src/(?:specs|.*/spec)\\.ts$";

const CALL_PROGRAM = "^packages/adapters/src/http/call/";

const adapters = [
  {
    name: "adapter-code-in-runner-only",
    comment: "An adapter starts programs; only the runner imports it. Everyone else imports @roster/adapters/specs.",
    from: { pathNot: ["^packages/adapters/", "^apps/runner/", TEST] },
    to: { path: "^packages/adapters/", pathNot: SPEC },
  },
  {
    name: "adapter-spec-is-pure",
    comment: "The spec of an adapter is data that the server reads: no Node, nothing of what starts programs.",
    from: { path: SPEC },
    to: { path: "^packages/adapters/src/[^/]+/", pathNot: SPEC },
  },
  {
    name: "adapter-spec-without-node",
    comment: "The spec of an adapter is data that the server reads: no Node, nothing of what starts programs.",
    from: { path: SPEC },
    to: { dependencyTypes: ["core"] },
  },
  {
    name: "adapters-apart",
    comment: "An adapter knows the adapter interface and the contract, nothing else of ours.",
    from: { path: "^packages/adapters/", pathNot: [TEST, CALL_PROGRAM] },
    to: { path: "^packages/", pathNot: "^packages/(?:adapters|adapter|contract)/" },
  },
  {
    name: "adapter-program-apart",
    comment:
      "The program that calls addresses is a process of its own: it goes out by the guarded way, and is imported nowhere.",
    from: { path: "^packages/adapters/", pathNot: [TEST, CALL_PROGRAM] },
    to: { path: CALL_PROGRAM },
  },
  {
    name: "adapter-program-knows-little",
    comment:
      "The program that calls addresses knows the guarded way out, the client and the contract, nothing else of ours.",
    from: { path: CALL_PROGRAM },
    to: { path: "^packages/", pathNot: "^packages/(?:adapters/src/http|egress|client|contract)/" },
  },
];

const directions = [
  {
    name: "contract-imports-only-zod",
    comment: "The contract is data for everyone: Zod and nothing else.",
    from: { path: "^packages/contract/src/", pathNot: TEST },
    to: { pathNot: ["^packages/contract/src/", "(?:^|/)node_modules/zod/"] },
  },
  {
    name: "client-and-adapter-on-contract",
    comment: "The client and the adapter interface know the contract, nothing else of ours.",
    from: { path: "^packages/(client|adapter)/", pathNot: TEST },
    to: { path: "^packages/", pathNot: "^packages/(?:contract|$1)/" },
  },
  {
    name: "egress-on-nothing",
    comment: "The way out serves server, runner and adapters, and knows none of them.",
    from: { path: "^packages/egress/", pathNot: TEST },
    to: { path: "^(?:packages|apps)/", pathNot: "^packages/egress/" },
  },
  {
    name: "cli-and-web-on-client",
    comment: "The command line and the board see the server through the client and the contract only.",
    from: { path: "^apps/(?:cli|web)/", pathNot: TEST },
    to: { path: "^packages/", pathNot: "^packages/(?:client|contract)/" },
  },
  {
    name: "packages-import-no-app",
    comment: "A package serves several apps and knows none.",
    from: { path: "^packages/" },
    to: { path: "^apps/" },
  },
  {
    name: "apps-import-no-app",
    comment: "Apps are processes of their own; they meet over the contract. Only a test may start another one.",
    from: { path: "^apps/([^/]+)/", pathNot: TEST },
    to: { path: "^apps/", pathNot: "^apps/$1/" },
  },
  {
    name: "platform-knows-no-module",
    comment: "The platform carries the modules and knows none.",
    from: { path: `${SERVER}platform/` },
    to: { path: MODULE },
  },
  {
    name: "platform-and-modules-below-app",
    comment: "contract ← platform ← modules ← app: the files directly in src put the rest together.",
    from: { path: `${SERVER}(?:platform|modules)/`, pathNot: TEST },
    to: { path: `${SERVER}[^/]+$` },
  },
];

const hygiene = [
  {
    name: "sql-in-its-place",
    comment: "SQL is in a module's table.ts and its store.ts or <what>-store.ts and in the platform, nowhere else.",
    from: {
      path: "^(?:packages|apps|scripts|bench|test)/",
      pathNot: [`${MODULE}[^/]+/(?:table|store|[a-z]+-store)\\.ts$`, `${SERVER}platform/`, "^packages/testing/"],
    },
    to: { path: "(?:^|/)node_modules/drizzle-orm/" },
  },
  {
    name: "connections-in-the-platform",
    comment: "Of the server, only the platform opens connections to the database.",
    from: { path: SERVER, pathNot: [`${SERVER}platform/`, TEST] },
    to: { path: "(?:^|/)node_modules/postgres/" },
  },
  {
    name: "testing-in-tests-only",
    comment: "What ships does not import what tests it.",
    from: { path: "^(?:packages|apps)/", pathNot: [TEST, "^packages/testing/"] },
    to: { path: ["^packages/testing/", "\\.test\\.tsx?$"] },
  },
  {
    name: "no-cycles",
    comment: "Two files that need each other are one concept, or three.",
    from: {},
    to: { circular: true },
  },
  {
    name: "resolvable",
    comment: "The import leads nowhere: a missing file, an undeclared package, or a path behind a package's door.",
    from: {},
    to: { couldNotResolve: true },
  },
];

export default {
  forbidden: [...doors, ...adapters, ...directions, ...hygiene].map((rule) => ({ severity: "error", ...rule })),
  options: {
    doNotFollow: { path: "(?:^|/)node_modules/" },
    exclude: { path: "(?:^|/)(?:dist|coverage|\\.cache)/" },
    // Also imports of types: a direction that holds for values only is none.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".d.ts"],
    },
  },
};
