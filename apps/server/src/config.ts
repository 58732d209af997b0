import { isIP } from "node:net";
import { AllowListError, parseAllowList } from "@roster/egress";
import { z } from "zod";
import { type Bounds, usualBounds } from "./platform/bounds.ts";

/** A setting is missing or wrong; the message names it and says what would be right. */
export class SettingError extends Error {}

const port = z.coerce.number().int().min(0).max(65_535);

function refuseUnreadable(text: string, context: z.RefinementCtx): void {
  try {
    parseAllowList(text);
  } catch (error) {
    if (!(error instanceof AllowListError)) throw error;
    context.addIssue({ code: "custom", message: `${error.message}; entries are separated by commas` });
  }
}

function isAddressRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const longest = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
}

const atLeastOne = z.coerce
  .number("must be a number")
  .int()
  .min(1, "must be at least 1")
  .max(10_000, "must be at most 10000");

/** Requests a minute; 0: as many as come. */
const perMinute = z.coerce
  .number("must be a number")
  .int("must be a whole number")
  .min(0, "must be at least 0, which is no limit")
  .max(1_000_000, "must be at most 1000000");

const settings = z.object({
  SERVICE_MODE: z
    .enum(["local_trusted", "authenticated"], "must be local_trusted or authenticated")
    .default("local_trusted"),
  PORT: port.default(3100),
  SERVICE_HOST: z.string().default("127.0.0.1"),
  SERVICE_TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((proxy) => proxy.trim())
        .filter((proxy) => proxy !== ""),
    )
    .refine((proxies) => proxies.every(isAddressRange), "must be addresses or ranges, such as 10.0.0.0/8,::1"),
  SERVICE_PUBLIC_URL: z.url({ protocol: /^https?$/, message: "must be an http or https address" }).optional(),
  SERVICE_HOME: z.string().min(1),
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgres://"),
  SERVICE_DATABASE_EMBEDDED: z.enum(["true", "false"]).default("false"),
  SERVICE_DATABASE_DIRECT_URL: z.string().optional(),
  SERVICE_SECRETS_KEY: z.string().optional(),
  SERVICE_SECRETS_KEY_FILE: z.string().startsWith("/", "must be an absolute path").optional(),
  SERVICE_SECRETS_KEY_PREVIOUS: z.string().optional(),
  SERVICE_SECRETS_KEY_PREVIOUS_FILE: z.string().startsWith("/", "must be an absolute path").optional(),
  SERVICE_CONTROL_SOCKET: z.string().optional(),
  SERVICE_SETTINGS_FINGERPRINT: z.string().default(""),
  SERVICE_UNPRICED_USD: z.coerce
    .number("must be dollars for a million tokens, such as 3")
    .positive("must be more than 0: nothing that is used is free")
    .max(10_000, "must be at most 10000")
    .optional(),
  SERVICE_CAUSE_HOPS: atLeastOne.default(usualBounds.hops),
  SERVICE_CAUSE_RUNS: atLeastOne.default(usualBounds.runs),
  SERVICE_CAUSE_ROOTS: atLeastOne.default(usualBounds.roots),
  SERVICE_RUN_OUTPUT_DAYS: z.coerce
    .number("must be a number of days")
    .int()
    .min(0, "must be at least 0, which is for ever")
    .max(3650, "must be at most 3650")
    .default(90),
  SERVICE_RATE_LIMIT_AGENT: perMinute.optional(),
  SERVICE_RATE_LIMIT_PERSON: perMinute.optional(),
  SERVICE_RATE_LIMIT_ADDRESS: perMinute.optional(),
  SERVICE_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{20,}$/, "must be at least 20 visible ASCII characters")
    .optional(),
  SERVICE_EGRESS_ALLOW: z.string().superRefine(refuseUnreadable).default(""),
  SERVICE_SKILL_ROOTS: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(/[,:]/)
        .map((root) => root.trim())
        .filter((root) => root !== ""),
    )
    .refine((roots) => roots.every((root) => root.startsWith("/")), "must be absolute folders, separated by commas"),
  SERVICE_LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** Who calls without signing in must be on this machine. */
const loopback = new Set(["127.0.0.1", "localhost", "::1"]);

/** The server's settings, checked. */
export interface Config {
  readonly mode: "local_trusted" | "authenticated";
  /** Proxies whose word on the client's address is believed. */
  readonly trustedProxies: readonly string[];
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly home: string;
  readonly databaseUrl: string;
  /** Reaches the database without a pooler, for LISTEN and migrations. */
  readonly directUrl: string;
  /** The database is the launcher's own, so its key file may be made in the home. */
  readonly embedded: boolean;
  readonly secretsKey: string | undefined;
  readonly secretsKeyFile: string | undefined;
  /** The master key whose place the present one takes or has taken. */
  readonly previousKey: string | undefined;
  readonly previousKeyFile: string | undefined;
  readonly controlSocket: string | undefined;
  readonly settingsFingerprint: string;
  /** Dollars for a million tokens of a model that has no price; not set: the usual rate. */
  readonly unpricedUsd: number | undefined;
  /** How much one cause may lead to. */
  readonly bounds: Bounds;
  /** How long the output of runs is kept after they ended, where the company says nothing else; null for ever. */
  readonly runOutputDays: number | null;
  /** Requests that are answered in a minute; not set: as the mode has it. */
  readonly rateLimits: Readonly<Record<"agent" | "person" | "address", number | undefined>>;
  /** What a scraper of the metrics shows. */
  readonly metricsToken: string | undefined;
  /** Places that are open to requests of the service beside the public web, as the operator wrote them. */
  readonly egressAllow: string;
  /** Folders below which the board may import skills in any mode. */
  readonly skillRoots: readonly string[];
  readonly logLevel: string;
}

/** Reads the settings from an environment; throws {@link SettingError} that names the first wrong one. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const result = settings.safeParse(given);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new SettingError(`The setting ${String(issue?.path[0])} is wrong: ${issue?.message}.`);
  }
  const read = result.data;
  if (read.SERVICE_MODE === "local_trusted" && !loopback.has(read.SERVICE_HOST)) {
    const right = "in local trusted mode must be 127.0.0.1, localhost or ::1";
    throw new SettingError(`The setting SERVICE_HOST is wrong: ${right}.`);
  }
  return {
    mode: read.SERVICE_MODE,
    trustedProxies: read.SERVICE_TRUSTED_PROXIES,
    port: read.PORT,
    host: read.SERVICE_HOST,
    publicUrl: read.SERVICE_PUBLIC_URL,
    home: read.SERVICE_HOME,
    databaseUrl: read.DATABASE_URL,
    directUrl: read.SERVICE_DATABASE_DIRECT_URL ?? read.DATABASE_URL,
    embedded: read.SERVICE_DATABASE_EMBEDDED === "true",
    secretsKey: read.SERVICE_SECRETS_KEY,
    secretsKeyFile: read.SERVICE_SECRETS_KEY_FILE,
    previousKey: read.SERVICE_SECRETS_KEY_PREVIOUS,
    previousKeyFile: read.SERVICE_SECRETS_KEY_PREVIOUS_FILE,
    controlSocket: read.SERVICE_CONTROL_SOCKET,
    settingsFingerprint: read.SERVICE_SETTINGS_FINGERPRINT,
    unpricedUsd: read.SERVICE_UNPRICED_USD,
    runOutputDays: read.SERVICE_RUN_OUTPUT_DAYS === 0 ? null : read.SERVICE_RUN_OUTPUT_DAYS,
    bounds: { hops: read.SERVICE_CAUSE_HOPS, runs: read.SERVICE_CAUSE_RUNS, roots: read.SERVICE_CAUSE_ROOTS },
    rateLimits: {
      agent: read.SERVICE_RATE_LIMIT_AGENT,
      person: read.SERVICE_RATE_LIMIT_PERSON,
      address: read.SERVICE_RATE_LIMIT_ADDRESS,
    },
    metricsToken: read.SERVICE_METRICS_TOKEN,
    egressAllow: read.SERVICE_EGRESS_ALLOW,
    skillRoots: read.SERVICE_SKILL_ROOTS,
    logLevel: read.SERVICE_LOG_LEVEL,
  };
}
