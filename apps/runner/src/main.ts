import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AlreadyAnnouncedError, announce, ControlFolderError, controlFolder } from "@roster/control-socket";
import { Server } from "./calling/server.ts";
import { tokenFile } from "./calling/token-file.ts";
import { createLog } from "./log.ts";
import { startRunner } from "./runner.ts";
import { openRunnerHome } from "./runner-home.ts";
import { readSettings, SettingError, type Settings } from "./settings.ts";

/** Starting again will not help: a person has to change something. */
const exitConfiguration = 78;

async function start(settings: Settings): Promise<void> {
  const log = createLog(settings.logLevel);
  const { hash: build, version } = readBuild();
  const home = await openRunnerHome(settings.home);
  // Before anything of the home is touched: two runners on one home would both adopt what is there.
  const socket = settings.controlSocket ?? join(await controlFolder(settings.home), "runner.sock");
  await announce(socket, { name: "runner", pid: process.pid, build, settings: settings.fingerprint });
  const tokens = tokenFile(settings.tokenFile, () => log.info({ file: settings.tokenFile }, "waiting for the token"));
  const server = new Server(settings.serverUrl, tokens);
  const { capacity, labels } = settings;
  const runner = await startRunner({ home, server, log, capacity, labels });
  log.info({ server: settings.serverUrl, version, capacity, labels }, "running");
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // A second one ends it at once; what runs then goes on, and the next start takes it over.
    process.once(signal, () => void runner.stop().then(() => process.exit(0)));
  }
}

function readBuild(): { readonly hash: string; readonly version: string } {
  const text = readFileSync(new URL("./build.json", import.meta.url), "utf8");
  return JSON.parse(text) as { hash: string; version: string };
}

function explain(error: unknown): { code: number; reason: string } {
  const { code, message } = error as NodeJS.ErrnoException;
  const isTheirs =
    error instanceof SettingError || error instanceof AlreadyAnnouncedError || error instanceof ControlFolderError;
  if (isTheirs) return { code: exitConfiguration, reason: message };
  if (code === "EACCES" || code === "EROFS" || code === "EPERM" || code === "ENOTDIR" || code === "EEXIST") {
    const reason = `The runner's home cannot be written to (${code}); set SERVICE_HOME to a folder of yours.`;
    return { code: exitConfiguration, reason };
  }
  return { code: 1, reason: `The runner could not start: ${message}` };
}

try {
  await start(readSettings(process.env));
} catch (error) {
  const { code, reason } = explain(error);
  process.stderr.write(`${reason}\n`);
  process.exit(code);
}
