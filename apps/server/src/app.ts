import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { authenticate } from "./authenticate.ts";
import { createHandlers, locatables } from "./interface.ts";
import { startLoops } from "./loops.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/database/index.ts";
import { guardLocal, mount, refuseAddress, requestIdOf } from "./platform/http/index.ts";
import { createLocator } from "./platform/locate.ts";
import type { Log } from "./platform/log.ts";
import type { Keys } from "./platform/secrets/index.ts";
import { startSignals } from "./platform/signals.ts";

/** What an application is made of. */
export interface AppOptions {
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Where people and agents reach this server; where it listens, if not set. */
  readonly publicUrl?: string | undefined;
  /** The database without a pooler between, to listen to; the same address, if not set. */
  readonly directUrl?: string | undefined;
  /** Checks every answer against the contract; for tests. */
  readonly checkAnswers?: boolean;
}

const bodyLimitBytes = 1_048_576;

/** The control plane over HTTP, ready to listen. Closing it ends its loops, not its database. */
export function createApp(options: AppOptions): FastifyInstance {
  const { database, keys, clock, log, version } = options;
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    genReqId: (request) => requestIdOf(request.headers["x-request-id"]),
    frameworkErrors: refuseAddress(version),
    routerOptions: { maxParamLength: 500 },
  });
  const signals = startSignals(database.driver, options.directUrl);
  const host = {
    database,
    notifier: signals,
    clock,
    keys,
    version,
    locator: createLocator(locatables),
    guard: guardLocal,
    authenticate: (request: { headers: { authorization?: string | undefined } }) =>
      authenticate(options, request.headers.authorization),
    checkAnswers: options.checkAnswers ?? false,
  };
  mount(
    app,
    host,
    createHandlers({ database, keys, version, signals, address: () => addressOf(app, options.publicUrl) }),
  );
  const stopLoops = startLoops({ database, notifier: signals }, clock, log);
  app.addHook("onClose", async () => {
    await Promise.all([stopLoops(), signals.close()]);
  });
  return app;
}

function addressOf(app: FastifyInstance, publicUrl: string | undefined): string {
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return publicUrl ?? `http://localhost:${port}`;
}
