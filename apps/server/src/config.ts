import { z } from "zod";

/** A setting is missing or wrong; the message names it and says what would be right. */
export class SettingError extends Error {}

const port = z.coerce.number().int().min(0).max(65_535);

const settings = z.object({
  SERVICE_MODE: z.literal("local_trusted", "only local_trusted is offered by this version").default("local_trusted"),
  PORT: port.default(3100),
  SERVICE_HOST: z
    .literal(["127.0.0.1", "localhost", "::1"], "in local trusted mode must be 127.0.0.1, localhost or ::1")
    .default("127.0.0.1"),
  SERVICE_PUBLIC_URL: z.url({ protocol: /^https?$/, message: "must be an http or https address" }).optional(),
  SERVICE_HOME: z.string().min(1),
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgres://"),
  SERVICE_DATABASE_EMBEDDED: z.enum(["true", "false"]).default("false"),
  SERVICE_DATABASE_DIRECT_URL: z.string().optional(),
  SERVICE_SECRETS_KEY: z.string().optional(),
  SERVICE_SECRETS_KEY_FILE: z.string().startsWith("/", "must be an absolute path").optional(),
  SERVICE_CONTROL_SOCKET: z.string().optional(),
  SERVICE_SETTINGS_FINGERPRINT: z.string().default(""),
  SERVICE_LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** The server's settings, checked. */
export interface Config {
  readonly mode: "local_trusted";
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
  readonly controlSocket: string | undefined;
  readonly settingsFingerprint: string;
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
  return {
    mode: read.SERVICE_MODE,
    port: read.PORT,
    host: read.SERVICE_HOST,
    publicUrl: read.SERVICE_PUBLIC_URL,
    home: read.SERVICE_HOME,
    databaseUrl: read.DATABASE_URL,
    directUrl: read.SERVICE_DATABASE_DIRECT_URL ?? read.DATABASE_URL,
    embedded: read.SERVICE_DATABASE_EMBEDDED === "true",
    secretsKey: read.SERVICE_SECRETS_KEY,
    secretsKeyFile: read.SERVICE_SECRETS_KEY_FILE,
    controlSocket: read.SERVICE_CONTROL_SOCKET,
    settingsFingerprint: read.SERVICE_SETTINGS_FINGERPRINT,
    logLevel: read.SERVICE_LOG_LEVEL,
  };
}
