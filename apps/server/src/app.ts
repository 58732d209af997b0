import { localBoardUserId } from "@roster/contract";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { createHandlers, locatables } from "./interface.ts";
import { authenticateKey } from "./modules/agent-keys/index.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/database/index.ts";
import { forgetOldKeys, guardLocal, mount, refuseAddress, requestIdOf } from "./platform/http/index.ts";
import { createLocator } from "./platform/locate.ts";
import type { Log } from "./platform/log.ts";
import { startNotifier } from "./platform/notifier.ts";
import { Refusal } from "./platform/refusal.ts";
import type { Caller } from "./platform/scope.ts";
import type { Keys } from "./platform/secrets/index.ts";
import { startWorkerLoop } from "./platform/worker-loop.ts";

/** What an application is made of. */
export interface AppOptions {
  readonly database: Database;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Where people and agents reach this server; where it listens, if not set. */
  readonly publicUrl?: string | undefined;
  /** Checks every answer against the contract; for tests. */
  readonly checkAnswers?: boolean;
}

const bodyLimitBytes = 1_048_576;
const upkeepEveryMs = 60_000;

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
  const notifier = startNotifier(database.driver);
  const host = {
    database,
    notifier,
    clock,
    keys,
    version,
    locator: createLocator(locatables),
    guard: guardLocal,
    authenticate: (request: { headers: { authorization?: string | undefined } }) =>
      authenticate(options, request.headers.authorization),
    checkAnswers: options.checkAnswers ?? false,
  };
  mount(app, host, createHandlers({ database, keys, version, address: () => addressOf(app, options.publicUrl) }));
  const upkeep = startWorkerLoop({
    name: "idempotency",
    everyMs: upkeepEveryMs,
    round: () => forgetOldKeys(database, clock()),
    log,
  });
  app.addHook("onClose", async () => {
    await Promise.all([upkeep.stop(), notifier.close()]);
  });
  return app;
}

function addressOf(app: FastifyInstance, publicUrl: string | undefined): string {
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return publicUrl ?? `http://localhost:${port}`;
}

/** In local trusted mode a request without a credential is the local board; one with a credential is its holder. */
async function authenticate({ database, clock }: AppOptions, header: string | undefined): Promise<Caller> {
  if (header === undefined) return { kind: "board", userId: localBoardUserId };
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new Refusal("unauthenticated", "The Authorization header must be: Bearer and a credential.");
  }
  return authenticateKey(database.reader, token, clock());
}
