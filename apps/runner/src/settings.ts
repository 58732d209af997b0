import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { AllowListError, parseAllowList } from "@roster/egress";
import { z } from "zod";

/** A setting is missing or wrong; the message names it and says what would be right. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

const label = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "must be names of letters, digits, dot, _ and -");

function refuseUnreadable(text: string, context: z.RefinementCtx): void {
  try {
    parseAllowList(text);
  } catch (error) {
    if (!(error instanceof AllowListError)) throw error;
    context.addIssue({ code: "custom", message: `${error.message}; entries are separated by commas` });
  }
}

const settings = z.object({
  SERVICE_HOME: z.string().optional(),
  SERVICE_RUNNER_URL: z.url({ protocol: /^https?$/, error: "must be the http or https address of a server" }),
  SERVICE_RUNNER_TOKEN_FILE: z.string().startsWith("/", "must be an absolute path").optional(),
  SERVICE_RUNNER_CAPACITY: z.coerce.number("must be a number").int().min(1).max(1000).default(16),
  SERVICE_RUNNER_LABELS: z
    .string()
    .default("")
    .transform((list) => list.split(",").map((each) => each.trim()))
    .transform((list) => list.filter((each) => each !== ""))
    .pipe(z.array(label).max(20)),
  // Read again from the environment where something is called, which is not here.
  SERVICE_EGRESS_ALLOW: z.string().superRefine(refuseUnreadable).default(""),
  SERVICE_CONTROL_SOCKET: z.string().optional(),
  SERVICE_SETTINGS_FINGERPRINT: z.string().default(""),
  SERVICE_LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** The runner's settings, checked. */
export interface Settings {
  readonly home: string;
  /** Address of the server, without a path. */
  readonly serverUrl: string;
  readonly tokenFile: string;
  /** Most runs at once. */
  readonly capacity: number;
  readonly labels: readonly string[];
  /** Where it announces itself; the usual place of its home when absent. */
  readonly controlSocket: string | undefined;
  readonly fingerprint: string;
  readonly logLevel: string;
}

/** Reads the settings from an environment; throws {@link SettingError} that names the first wrong one. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const result = settings.safeParse(given);
  if (!result.success) {
    const { path, message } = result.error.issues[0] ?? { path: [], message: "unknown" };
    const name = String(path[0]);
    if (given[name] === undefined) throw new SettingError(`The setting ${name} is missing: it ${message}.`);
    throw new SettingError(`The setting ${name} is wrong: ${message}.`);
  }
  const read = result.data;
  const home = resolve(read.SERVICE_HOME ?? join(homedir(), ".roster"));
  return {
    home,
    serverUrl: read.SERVICE_RUNNER_URL.replace(/\/+$/, ""),
    tokenFile: read.SERVICE_RUNNER_TOKEN_FILE ?? join(home, "runner.token"),
    capacity: read.SERVICE_RUNNER_CAPACITY,
    labels: read.SERVICE_RUNNER_LABELS,
    controlSocket: read.SERVICE_CONTROL_SOCKET,
    fingerprint: read.SERVICE_SETTINGS_FINGERPRINT,
    logLevel: read.SERVICE_LOG_LEVEL,
  };
}
