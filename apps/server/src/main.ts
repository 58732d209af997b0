import { readFileSync } from "node:fs";
import { announce } from "@roster/control-socket";
import { createEgress } from "@roster/egress";
import { createApp } from "./app.ts";
import { type Config, readConfig, SettingError } from "./config.ts";
import { claimToken, keepClaimLink } from "./modules/accounts/index.ts";
import { adoptCompanies } from "./modules/members/index.ts";
import { ensureLocalRunner } from "./modules/runners/index.ts";
import { resealSecrets } from "./modules/secrets/index.ts";
import type { ChangeHost } from "./platform/change.ts";
import { systemClock } from "./platform/clock.ts";
import { type Database, MigrationError, migrate, openDatabase } from "./platform/database/index.ts";
import { createLog, type Log } from "./platform/log.ts";
import {
  isMasterKeyReplaced,
  type Keys,
  MasterKeyError,
  masterKeyReplaced,
  openMasterKey,
  settleMasterKey,
} from "./platform/secrets/index.ts";
import { startWorkerLoop } from "./platform/worker-loop.ts";

/** Starting again will not help: a person has to change something. */
const exitConfiguration = 78;
const lookEveryMs = 5_000;

const fromBuild = (path: string): URL => new URL(path, import.meta.url);
const { version, hash: build } = JSON.parse(readFileSync(fromBuild("./build.json"), "utf8")) as {
  version: string;
  hash: string;
};

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const database = openDatabase({ url: config.databaseUrl });
  const direct = openDatabase({ url: config.directUrl, poolSize: 1 });
  const applied = await migrate(direct.driver, fromBuild("./migrations").pathname);
  const host = { database, notifier: { notify: () => undefined } };
  const keys = await openKeys(config, direct.driver, { host, log });
  await direct.close();
  const app = createApp({
    database,
    keys,
    clock: systemClock,
    log,
    version,
    publicUrl: config.publicUrl,
    directUrl: config.directUrl,
    mode: config.mode,
    trustedProxies: config.trustedProxies,
    rateLimits: config.rateLimits,
    metricsToken: config.metricsToken,
    unpricedUsd: config.unpricedUsd,
    bounds: config.bounds,
    runOutputDays: config.runOutputDays,
    egress: createEgress({ allow: config.egressAllow }),
    skillRoots: config.skillRoots,
    board: fromBuild("./web").pathname,
  });
  await ensureLocalRunner(host, config.home);
  if (config.mode === "authenticated") await adoptCompanies(host, systemClock());
  const url = await app.listen({ port: config.port, host: config.host });
  const claim = config.mode === "authenticated" ? await claimToken(database, keys) : null;
  await keepClaimLink(
    config.home,
    claim && `${config.publicUrl ?? `http://localhost:${new URL(url).port}`}/#claim=${claim}`,
  );
  const settings = config.settingsFingerprint;
  if (config.controlSocket !== undefined) {
    const masterKey = keys.fingerprint;
    await announce(config.controlSocket, { name: "server", pid: process.pid, build, settings, url, masterKey });
  }
  log.info({ url, version, applied }, "listening");
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      void app
        .close()
        .then(() => database.close())
        .then(() => process.exit(0));
    });
  }
}

/** The master key; where another one takes its place, everything is sealed under that first. */
async function openKeys(
  { secretsKey, secretsKeyFile, previousKey, previousKeyFile, embedded, home }: Config,
  driver: Database["driver"],
  { host, log }: { host: ChangeHost; log: Log },
): Promise<Keys> {
  const source = {
    value: secretsKey,
    file: secretsKeyFile,
    previousValue: previousKey,
    previousFile: previousKeyFile,
    home: embedded ? home : undefined,
  };
  const keys = await openMasterKey(source, driver);
  const resealed = await resealSecrets(host, keys);
  await settleMasterKey(source, keys);
  for (const { companyId, name, number } of resealed?.lost ?? []) {
    log.error({ companyId, secret: name, version: number }, "a secret opens under neither master key");
  }
  if (resealed !== null) log.info({ sealed: resealed.sealed, version: keys.version }, "the master key was rotated");
  // A server that goes on under a key that was replaced elsewhere could neither read secrets nor store any.
  const round = async (): Promise<void> => {
    if (await isMasterKeyReplaced(host.database.driver, keys)) fail(masterKeyReplaced());
  };
  startWorkerLoop({ name: "master key", everyMs: lookEveryMs, round, log });
  return keys;
}

function explain(error: unknown): { code: number; reason: string } {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof SettingError || error instanceof MasterKeyError || error instanceof MigrationError) {
    return { code: exitConfiguration, reason: error.message };
  }
  if (code === "EADDRINUSE") {
    const reason = `Port ${process.env["PORT"] ?? "3100"} is in use by another program. Choose another: PORT=3200 npm start`;
    return { code: exitConfiguration, reason };
  }
  return { code: 1, reason: `The server could not start: ${message}` };
}

function fail(error: unknown): never {
  const { code, reason } = explain(error);
  process.stderr.write(`${reason}\n`);
  process.exit(code);
}

try {
  await start(readConfig(process.env));
} catch (error) {
  fail(error);
}
