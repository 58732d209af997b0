import { readFileSync } from "node:fs";
import { announce } from "@roster/control-socket";
import { createApp } from "./app.ts";
import { type Config, readConfig, SettingError } from "./config.ts";
import { claimToken, keepClaimLink } from "./modules/accounts/index.ts";
import { adoptCompanies } from "./modules/members/index.ts";
import { ensureLocalRunner } from "./modules/runners/index.ts";
import { systemClock } from "./platform/clock.ts";
import { MigrationError, migrate, openDatabase } from "./platform/database/index.ts";
import { createEgress } from "./platform/egress/index.ts";
import { createLog } from "./platform/log.ts";
import { MasterKeyError, openMasterKey } from "./platform/secrets/index.ts";

/** Starting again will not help: a person has to change something. */
const exitConfiguration = 78;

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
  const keys = await openMasterKey(
    { value: config.secretsKey, file: config.secretsKeyFile, home: config.embedded ? config.home : undefined },
    direct.driver,
  );
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
    unpricedUsd: config.unpricedUsd,
    egress: createEgress({ allow: config.egressAllow }),
    skillRoots: config.skillRoots,
  });
  const host = { database, notifier: { notify: () => undefined } };
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
    await announce(config.controlSocket, { name: "server", pid: process.pid, build, settings, url });
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
