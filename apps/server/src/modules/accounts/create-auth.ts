import { betterAuth } from "better-auth/minimal";
import { newId } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import type { AuthAdapter } from "./adapter-store.ts";

/** What signing in is set up with. */
export interface AuthSettings {
  readonly keys: Keys;
  readonly log: Log;
  /** Cookies travel over https only. */
  readonly isSecure: boolean;
  /** How often one address may try to sign in, in a minute. */
  readonly signInTries: number;
}

/** Leave to make one account: the address that a checked token was given out for. */
export interface Admission {
  readonly email: string;
}

/** Ours, put in by us: what a caller sends under this name is dropped. */
export const addressHeader = "x-roster-client-address";
/** Only paths of better-auth itself hang on it; it is never called over the network. */
export const authOrigin = "http://localhost";

const sessionDays = 7;
const day = 86_400;

/**
 * better-auth, as this service uses it: password, sessions in the database, nothing kept in cookies but a signed token.
 * It makes nobody's account but the one of `admission`. Origins are checked by the guard of the server, before it.
 */
export function createAuth(database: AuthAdapter, settings: AuthSettings, admission: Admission | null = null) {
  const { keys, log, isSecure, signInTries } = settings;
  return betterAuth({
    appName: "Roster",
    baseURL: authOrigin,
    // Named twice, so that no variable of another deployment's environment takes its place.
    secret: keys.derive("cookies").toString("base64"),
    secrets: [{ version: keys.version, value: keys.derive("cookies").toString("base64") }],
    database,
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 128 },
    user: { additionalFields: { isInstanceAdmin: { type: "boolean", defaultValue: false, input: false } } },
    session: { expiresIn: sessionDays * day, updateAge: day, cookieCache: { enabled: false } },
    rateLimit: {
      enabled: true,
      storage: "database",
      customRules: { "/sign-in/email": { window: 60, max: signInTries } },
    },
    databaseHooks: {
      user: {
        create: {
          before: async ({ email }) => {
            if (admission === null || email !== admission.email) throw new Error("an account without an admission");
          },
        },
      },
    },
    advanced: {
      cookiePrefix: "roster",
      useSecureCookies: isSecure,
      disableCSRFCheck: true,
      disableOriginCheck: true,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => newId(), validateSchema: false },
    },
    logger: { level: "error", log: (_level, message) => log.error({ from: "better-auth" }, message) },
    telemetry: { enabled: false },
  });
}

/** better-auth as this service uses it. */
export type Auth = ReturnType<typeof createAuth>;
