import type { Health } from "@roster/contract";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { authenticate, type Shown } from "./authenticate.ts";
import { createHandlers, locatables, settlingWith } from "./interface.ts";
import { startLoops } from "./loops.ts";
import { type Accounts, createAccounts } from "./modules/accounts/index.ts";
import { findRole } from "./modules/companies/index.ts";
import { pricesWith } from "./modules/costs/index.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/database/index.ts";
import { createEgress, type Egress } from "./platform/egress/index.ts";
import { guardLocal, guardLogin, mount, refuseAddress, requestIdOf } from "./platform/http/index.ts";
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
  /** Who is believed; `local_trusted`, if not set. */
  readonly mode?: Health["mode"] | undefined;
  /** Proxies whose word on the client's address is believed; none, if not set. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** How often one address may try to sign in, in a minute; 20, if not set. */
  readonly signInTries?: number | undefined;
  /** Dollars for a million tokens of a model that has no price; the usual rate, if not set. */
  readonly unpricedUsd?: number | undefined;
  /** The way out to addresses that people and agents name; the public web alone, if not set. */
  readonly egress?: Egress | undefined;
  /** Folders below which the board may import skills in any mode. */
  readonly skillRoots?: readonly string[] | undefined;
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
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    routerOptions: { maxParamLength: 500 },
  });
  const prices = pricesWith(options.unpricedUsd);
  const signals = startSignals(database.driver, options.directUrl);
  const mode = options.mode ?? "local_trusted";
  const address = (): string => addressOf(app, options.publicUrl);
  const accounts = accountsOf(options);
  const authority = { mode, accounts, database, keys, clock };
  const host = {
    database,
    notifier: signals,
    clock,
    keys,
    version,
    locator: createLocator(locatables),
    roleOf: findRole,
    guard: mode === "authenticated" ? guardLogin({ publicUrl: address }) : guardLocal,
    authenticate: ({ headers }: { headers: Shown }) => authenticate(authority, headers),
    checkAnswers: options.checkAnswers ?? false,
  };
  mount(
    app,
    host,
    createHandlers({
      database,
      keys,
      version,
      signals,
      mode,
      accounts,
      address,
      prices,
      egress: options.egress ?? createEgress(),
      skillRoots: options.skillRoots ?? [],
    }),
  );
  const stopLoops = startLoops(host, { accounts, clock, log, settling: settlingWith(prices) });
  app.addHook("onClose", async () => {
    await Promise.all([stopLoops(), signals.close()]);
  });
  return app;
}

const usualTries = 20;

function accountsOf({ database, keys, log, publicUrl, signInTries = usualTries }: AppOptions): Accounts {
  return createAccounts(database, { keys, log, isSecure: publicUrl?.startsWith("https://") ?? false, signInTries });
}

function addressOf(app: FastifyInstance, publicUrl: string | undefined): string {
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return publicUrl ?? `http://localhost:${port}`;
}
