import type { Health } from "@roster/contract";
import { createEgress, type Egress } from "@roster/egress";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { authenticate, type Shown } from "./authenticate.ts";
import { createHandlers, entryCounts, gaugeSources, judging, locatables, settlingWith } from "./interface.ts";
import { startLoops } from "./loops.ts";
import { type Accounts, createAccounts } from "./modules/accounts/index.ts";
import { findRole } from "./modules/companies/index.ts";
import { pricesWith } from "./modules/costs/index.ts";
import type { Bounds } from "./platform/bounds.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/database/index.ts";
import {
  createRateLimiter,
  guardLocal,
  guardLogin,
  mount,
  noRateLimits,
  type Purpose,
  type RateLimits,
  refuseAddress,
  requestIdOf,
  serveBoard,
  usualRateLimits,
} from "./platform/http/index.ts";
import { createLocator } from "./platform/locate.ts";
import type { Log } from "./platform/log.ts";
import { createMeter } from "./platform/metrics/index.ts";
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
  /** How many requests a minute are answered; as the mode has it, where not set. */
  readonly rateLimits?: Readonly<Partial<Record<keyof RateLimits, number | undefined>>> | undefined;
  /** What a scraper of the metrics shows in authenticated mode; if not set, only who runs the deployment reads them. */
  readonly metricsToken?: string | undefined;
  /** Dollars for a million tokens of a model that has no price; the usual rate, if not set. */
  readonly unpricedUsd?: number | undefined;
  /** The way out to addresses that people and agents name; the public web alone, if not set. */
  readonly egress?: Egress | undefined;
  /** Folders below which the board may import skills in any mode. */
  readonly skillRoots?: readonly string[] | undefined;
  /** How much one cause may lead to; the usual, if not set. */
  readonly bounds?: Bounds | undefined;
  /** How long the output of runs is kept, where the company says nothing else; for ever, if not set. */
  readonly runOutputDays?: number | null | undefined;
  /** Checks every answer against the contract; for tests. */
  readonly checkAnswers?: boolean;
  /** The folder that the board was built into; no board, if not set. */
  readonly board?: string | undefined;
  /** Silence after which an event stream beats, and its reader's access is looked at again; 15 s, if not set. */
  readonly beatMs?: number | undefined;
}

const bodyLimitBytes = 1_048_576;

/** The control plane over HTTP, ready to listen. Closing it ends its loops, not its database. */
export function createApp(options: AppOptions): FastifyInstance {
  const { database, keys, clock, log, version, bounds } = options;
  const everywhere = { database, keys, version, bounds };
  const app = createFrame(options);
  const prices = pricesWith(options.unpricedUsd);
  const signals = startSignals(database.driver, options.directUrl);
  const mode = options.mode ?? "local_trusted";
  const address = (): string => addressOf(app, options.publicUrl);
  const accounts = accountsOf(options);
  const authority = { mode, accounts, database, keys, clock, metricsToken: options.metricsToken, bounds };
  const meter = createMeter({ database, version, mode, gauges: gaugeSources, entryCounts });
  const host = {
    ...everywhere,
    notifier: signals,
    committed: meter.committed,
    meter: meter.http,
    limiter: createRateLimiter(rateLimitsOf(mode, options.rateLimits)),
    clock,
    locator: createLocator(locatables),
    roleOf: findRole,
    guard: mode === "authenticated" ? guardLogin({ publicUrl: address }) : guardLocal,
    authenticate: ({ headers }: { headers: Shown }, purpose: Purpose) => authenticate(authority, headers, purpose),
    checkAnswers: options.checkAnswers ?? false,
    beatMs: options.beatMs,
  };
  mount(
    app,
    host,
    createHandlers({
      ...everywhere,
      log,
      signals,
      mode,
      accounts,
      address,
      prices,
      meter,
      egress: options.egress ?? createEgress(),
      skillRoots: options.skillRoots ?? [],
    }),
  );
  if (options.board !== undefined) serveBoard(app, options.board);
  const stopLoops = startLoops(host, {
    accounts,
    signals,
    judging,
    clock,
    log,
    settling: settlingWith(prices),
    runOutputDays: options.runOutputDays ?? null,
  });
  app.addHook("onClose", async () => {
    await Promise.all([stopLoops(), signals.close()]);
  });
  return app;
}

function createFrame({ log, version, trustedProxies = [] }: AppOptions): FastifyInstance {
  return fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    genReqId: (request) => requestIdOf(request.headers["x-request-id"]),
    frameworkErrors: refuseAddress(version),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: 500 },
  });
}

function rateLimitsOf(mode: Health["mode"], set: AppOptions["rateLimits"] = {}): RateLimits {
  const usual = mode === "authenticated" ? usualRateLimits : noRateLimits;
  return {
    agent: set.agent ?? usual.agent,
    person: set.person ?? usual.person,
    address: set.address ?? usual.address,
    windowSec: set.windowSec,
  };
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
