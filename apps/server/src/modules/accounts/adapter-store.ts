import { drizzleAdapter } from "better-auth/adapters/drizzle";
import type { Change } from "../../platform/change.ts";
import type { Database } from "../../platform/database/index.ts";
import { accounts, rateLimits, sessions, users } from "./table.ts";

const schema = { user: users, session: sessions, account: accounts, rateLimit: rateLimits };

/** What better-auth reads and writes its tables through. */
export type AuthAdapter = ReturnType<typeof drizzleAdapter>;

/**
 * Statement by statement: what is counted of failed tries stays, whatever becomes of them. Sessions and counters are
 * machinery; that nobody is made this way is seen to by the hook of `createAuth`.
 */
export const adapterOn = ({ autocommit }: Database): AuthAdapter =>
  drizzleAdapter(autocommit, { provider: "pg", schema });

/** In the transaction of a change, with whose entries it commits. */
export const adapterIn = ({ write }: Change): AuthAdapter => drizzleAdapter(write, { provider: "pg", schema });
