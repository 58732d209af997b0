/**
 * `npm run rotate-key`: makes a new master key for a home. What is sealed under the old one is sealed anew by the server
 * when it starts; where Roster runs, its server is started again for that, and runs go on. Node's own modules only.
 */
import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { link, open, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const lookEveryMs = 100;

function say(sentence) {
  console.error(sentence);
}

function refuse(sentence) {
  say(sentence);
  process.exit(1);
}

/** npm starts scripts in the folder of the package; a path that was given means the folder of the caller. */
function homeFolder() {
  const given = process.env.SERVICE_HOME;
  if (given === undefined || given === "") return join(homedir(), ".roster");
  return resolve(process.env.npm_lifecycle_event === "rotate-key" ? (process.env.INIT_CWD ?? ".") : ".", given);
}

/** Keys that are not the home's are not ours to replace. */
function requireOwnKeys(file) {
  const foreign = ["SERVICE_SECRETS_KEY", "SERVICE_SECRETS_KEY_FILE", "DATABASE_URL"].find((name) => process.env[name]);
  if (foreign !== undefined) {
    refuse(
      `${foreign} is set, so the master key is kept by you and not in the home. To replace it, start every server with ` +
        "the new key, and the old one in SERVICE_SECRETS_KEY_PREVIOUS.",
    );
  }
  if (!existsSync(file)) {
    refuse(`There is no ${file}. Name the home with SERVICE_HOME; start Roster once, where it never ran.`);
  }
  const { uid } = statSync(file);
  if (uid !== process.getuid()) refuse(`${file} belongs to the uid ${uid}: rotate the key as that user.`);
}

/** As the server names a key: `keysOf` of its secrets. */
async function fingerprintOf(file) {
  const text = (await readFile(file, "utf8")).trim();
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  if (key.length !== 32) refuse(`${file} must be 32 bytes, written as 64 hex digits or as base64.`);
  const derived = Buffer.from(hkdfSync("sha256", key, "", "fingerprint", 32));
  return createHash("sha256").update(derived).digest("hex").slice(0, 32);
}

/** The file appears with all it holds, or not at all. */
async function makeKey(home, file) {
  const temporary = `${file}.${process.pid}`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString("hex")}\n`);
    await handle.sync();
    // Somebody else may be about it at the same time: one key is made.
    await link(temporary, file).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await handle.close();
    await rm(temporary);
  }
  const folder = await open(home);
  await folder.sync().finally(() => folder.close());
}

/** What the process at a control socket of the home says of itself; null where none answers. */
function who(home, name) {
  const digest = createHash("sha256").update(realpathSync(home)).digest("hex").slice(0, 12);
  return new Promise((answer) => {
    const socket = connect(`/tmp/roster-${process.getuid()}-${digest}/${name}.sock`);
    let text = "";
    socket.setEncoding("utf8").on("data", (piece) => {
      text += piece;
      if (text.endsWith("\n")) socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => answer(text.endsWith("\n") ? JSON.parse(text) : null));
  });
}

/** Refuses to touch a server that would not do its part. */
async function requireReady(home, file) {
  const [launcher, server] = [await who(home, "launcher"), await who(home, "server")];
  if (launcher === null && server === null) return null;
  if (launcher === null)
    refuse("A server runs on this home without its launcher: npm start, then rotate the key again.");
  if (server === null) refuse("Roster is just starting, or its server has trouble: try again once it runs.");
  if (server.masterKey === undefined) {
    refuse("The Roster that runs is older than these sources: stop it, start it, then rotate the key.");
  }
  if (server.masterKey !== (await fingerprintOf(file))) {
    refuse(`The server that runs has another master key than ${file}: put that one back first.`);
  }
  return server;
}

/** The launcher starts it again; it seals everything anew before it listens. */
async function restart(home, { pid }, wanted) {
  process.kill(pid, "SIGTERM");
  for (;;) {
    const server = await who(home, "server");
    if (server?.masterKey === wanted) return;
    if ((await who(home, "launcher")) === null) {
      refuse(`Roster has stopped; ${join(home, "logs", "launcher.log")} says why. Both keys are in the home.`);
    }
    await pause(lookEveryMs);
  }
}

const home = homeFolder();
const present = join(home, "secrets.key");
const next = join(home, "secrets.key.next");
requireOwnKeys(present);
const server = await requireReady(home, present);
if (existsSync(next)) say("A rotation was begun before; going on with it.");
else await makeKey(home, next);
if (server === null) {
  say(`The new master key is ${next}. Roster does not run; the next start seals every secret with it.`);
} else {
  say("The server starts again with the new key and seals every secret with it; runs go on.");
  await restart(home, server, await fingerprintOf(next));
  say("Done. The old key stays in the home, under its fingerprint: it opens backups from before, and nothing else.");
}
