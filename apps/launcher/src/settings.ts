import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the launcher itself needs to know; the rest of the environment is for the programs it starts. */
export interface Settings {
  readonly home: string;
  readonly mode: string;
  /** Where people open Roster. */
  readonly address: string;
  /** Where programs on this machine reach the server. */
  readonly localAddress: string;
  /** A database of the operator's own; null for the embedded one. */
  readonly databaseUrl: string | null;
  /** The environment of the programs, defaults filled in. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Who opens Roster on this machine reaches all of these by this name. */
const hereToo = new Set(["127.0.0.1", "::1", "0.0.0.0", "::", "localhost"]);

/** An empty variable counts as absent. Whether values are good is said by the program that uses them. */
export function readSettings(env: Environment): Settings {
  const given = (name: string): string | null => (env[name] === undefined || env[name] === "" ? null : env[name]);
  const home = resolve(given("SERVICE_HOME") ?? join(homedir(), ".roster"));
  const mode = given("SERVICE_MODE") ?? "local_trusted";
  const host = given("SERVICE_HOST") ?? "127.0.0.1";
  const port = given("PORT") ?? "3100";
  return {
    home,
    mode,
    address: given("SERVICE_PUBLIC_URL") ?? `http://${shown(host)}:${port}`,
    localAddress: `http://${reached(host)}:${port}`,
    databaseUrl: given("DATABASE_URL"),
    environment: {
      ...withoutNpm(env),
      SERVICE_HOME: home,
      SERVICE_MODE: mode,
      SERVICE_HOST: host,
      PORT: port,
    },
  };
}

function shown(host: string): string {
  if (hereToo.has(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

/** The numbers, where there are some: what a name leads to is not the same everywhere. */
function reached(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** npm's own variables are about the start, and would reach every program an agent runs. */
function withoutNpm(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== "" && !/^npm_|^INIT_CWD$/i.test(name)) kept[name] = value;
  }
  return kept;
}

/**
 * Stands for everything in a program's environment that changes what it does: a running program with another
 * fingerprint was started with other settings, or by another Node.
 */
export function fingerprint(environment: Environment, nodeVersion: string): string {
  const settings = Object.entries(environment)
    .filter(([name]) => /^(SERVICE_|NODE_|PORT$|DATABASE_URL$)/.test(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([nodeVersion, settings]))
    .digest("hex")
    .slice(0, 16);
}
