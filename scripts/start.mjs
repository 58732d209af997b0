/**
 * `npm start` and `npm run runner`: installs the packages and builds when something changed since, then becomes the
 * launcher, or a runner alone.
 * Runs before anything is installed or built: Node's own modules only.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const oldestNode = [20, 19];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const isRunner = process.argv[2] === "runner";
const program = join(dist, isRunner ? "runner.js" : "launcher.js");
const installedNote = join(root, "node_modules", ".roster-installed");

function say(sentence) {
  console.error(sentence);
}

function refuse(sentence) {
  say(sentence);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  const current = process.versions.node;
  refuse(`Roster needs Node ${oldestNode.join(".")} or newer and this is ${current}: see https://nodejs.org.`);
}

/** npm starts scripts in the folder of the package; a path that was given means the folder of the caller. */
function homeFolder() {
  const given = process.env.SERVICE_HOME;
  if (given === undefined || given === "") return join(homedir(), ".roster");
  return resolve(
    ["start", "runner"].includes(process.env.npm_lifecycle_event) ? (process.env.INIT_CWD ?? ".") : ".",
    given,
  );
}

/** What the packages in node_modules depend on: the lock file, and the system that binaries were chosen for. */
async function wantedPackages() {
  const hash = createHash("sha256").update(await readFile(join(root, "package-lock.json")));
  return `${hash.digest("hex")} ${process.platform}-${process.arch}\n`;
}

async function outdated() {
  const { builtHash, sourceHash } = await import("./build.mjs");
  const noted = await readFile(installedNote, "utf8").catch(() => null);
  return {
    packages: noted !== (await wantedPackages()),
    build: (await builtHash(dist)) !== (await sourceHash(root)),
  };
}

function canBeWritten() {
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A built tree whose sources are not there or cannot be written to is what it is: nothing is compared. */
function isAsItIs() {
  return existsSync(program) && !(canBeWritten() && existsSync(join(root, "apps")));
}

/** Whether a launcher holds the home. Installing and building would change the programs under its feet. */
async function launcherLives(home) {
  if (!existsSync(home)) return false;
  const digest = shortDigest(realpathSync(home));
  return await connects(`/tmp/roster-${process.getuid()}-${digest}/launcher.sock`);
}

function shortDigest(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function connects(path) {
  return new Promise((answer) => {
    const socket = connect(path);
    socket.once("error", () => answer(false));
    socket.once("connect", () => {
      socket.destroy();
      answer(true);
    });
  });
}

async function bringUpToDate(home) {
  if (!canBeWritten()) {
    refuse(`Roster is not built, and ${root} cannot be written to: run "npm start" once as the owner of that folder.`);
  }
  if (existsSync(program) && (await launcherLives(home))) {
    say("The sources have changed since Roster was started; the change counts when it is stopped and started again.");
    return;
  }
  const lock = await lockSources();
  // Whoever had the lock before has most likely done the work.
  const found = await outdated();
  if (found.packages) await install(lock.fd);
  if (found.build) await buildAnew();
  lock.free();
}

async function install(lockFd) {
  say("Installing packages; this takes a while the first time.");
  const [command, args] = npm();
  const wanted = await wantedPackages();
  const flags = ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  // npm holds the lock, too: if this process is killed, nobody else installs before npm has ended.
  const npmRun = spawn(command, [...args, ...flags], { cwd: root, stdio: ["ignore", 2, 2, lockFd] });
  const forward = (signal) => npmRun.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, forward);
  const ending = await new Promise((done) => {
    npmRun.once("error", (error) => done(error.code === "ENOENT" ? "npm was not found" : error.message));
    npmRun.once("exit", (code, signal) => done(code === 0 ? null : `npm ended with ${signal ?? `code ${code}`}`));
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.off(signal, forward);
  if (ending !== null) {
    refuse(`The packages could not be installed (${ending}): see the lines above, mend that and start again.`);
  }
  await writeFile(installedNote, wanted);
}

/** The npm that started us, else the one on the path. Other package managers name themselves there, too. */
function npm() {
  const given = process.env.npm_execpath ?? "";
  return /npm-cli\.c?js$/.test(given) ? [process.execPath, [given]] : ["npm", []];
}

async function buildAnew() {
  const { build } = await import("./build.mjs");
  try {
    await build(root, dist);
  } catch (error) {
    refuse(`Roster could not be built from ${root}: ${error instanceof Error ? error.message : error}`);
  }
}

/** One start at a time changes node_modules and dist. The system frees the lock when its holder dies. */
async function lockSources() {
  const name = `roster-${process.getuid()}-${shortDigest(realpathSync(root))}-sources`;
  let told = false;
  for (;;) {
    const lock = process.platform === "linux" ? await listenAt(`\0${name}`) : lockFile();
    if (lock !== null) return lock;
    if (!told) say("Another start is installing or building here; this one goes on after it.");
    told = true;
    await (process.platform === "linux" ? hangUp(`\0${name}`) : new Promise((done) => setTimeout(done, 200)));
  }
}

/** Linux: a socket without a file, so nothing is left when its holder dies. */
function listenAt(path) {
  const waiting = new Set();
  const server = createServer((socket) => {
    waiting.add(socket.on("error", () => undefined).on("close", () => waiting.delete(socket)));
  });
  const free = () => {
    server.close();
    for (const socket of waiting) socket.destroy();
  };
  return new Promise((taken, failed) => {
    server.once("error", (error) => (error.code === "EADDRINUSE" ? taken(null) : failed(error)));
    server.listen({ path }, () => taken({ fd: server._handle?.fd ?? "ignore", free }));
  });
}

function hangUp(path) {
  return new Promise((gone) => {
    const socket = connect({ path });
    socket.on("error", () => undefined).once("close", gone);
    socket.resume();
  });
}

/** macOS and the BSDs: a file opened with an exclusive lock (O_EXLOCK), which the system keeps with the open file. */
function lockFile() {
  const exclusiveLock = 0x20;
  mkdirSync(join(root, ".cache"), { recursive: true });
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLock;
    const fd = openSync(join(root, ".cache", "start.lock"), flags, 0o600);
    return { fd, free: () => closeSync(fd) };
  } catch (error) {
    if (error.code === "EAGAIN") return null;
    throw error;
  }
}

checkNode();
const home = homeFolder();
process.env.SERVICE_HOME = home;
if (!isAsItIs()) {
  const found = await outdated();
  if (found.packages || found.build) await bringUpToDate(home);
}
await import(pathToFileURL(program).href);
