import { z } from "zod";
import { id, name, time } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";

/** An e-mail address, in small letters. */
export const email = z.email().max(254).toLowerCase();
/** A password that is being chosen. */
export const newPassword = z
  .string()
  .min(12, "must have at least 12 characters")
  .max(128)
  .meta({ holdsSecrets: true })
  .describe("12 to 128 characters");
/** A token that a person was given to come in with. */
export const entryToken = z.string().min(1).max(200).meta({ holdsSecrets: true });

/** A person with an account in this deployment. */
export const person = z
  .object({
    id,
    name: z.string(),
    email: z.string().nullable().describe("null for the local board, which has no account"),
    isInstanceAdmin: z.boolean().describe("Runs the deployment"),
  })
  .meta({ id: "Person" });
/** A person as the API answers it. */
export type Person = z.infer<typeof person>;

/** A signed-in browser or program of a person. */
export const session = z
  .object({
    id,
    createdAt: time,
    expiresAt: time.describe("Moves on while it is used"),
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    current: z.boolean().describe("It is the one that this request was made with"),
  })
  .meta({ id: "Session" });
/** A session as the API answers it. */
export type Session = z.infer<typeof session>;

const signedIn = z.object({
  user: person,
  session: session.nullable().describe("null for the local board, which needs none"),
});
/** Who is signed in, as the API answers it. */
export type SignedIn = z.infer<typeof signedIn>;

/** Coming in, going out, and the sessions between. Everything else under `/api/auth` is 404. */
export const auth = operations({
  signIn: {
    method: "POST",
    path: "/api/auth/sign-in/email",
    summary: "Sign in with e-mail address and password; the answer sets the cookie of the session",
    may: "account.enter",
    body: z.strictObject({ email, password: z.string().min(1).max(128).meta({ holdsSecrets: true }) }),
    answer: { kind: "record", schema: signedIn },
    refusals: ["unauthenticated", "rate_limited"],
    machinery: true,
    setsCookies: true,
  },
  claim: {
    method: "POST",
    path: "/api/auth/claim",
    summary: "Become the first operator, once, with the token that the start prints; signs in",
    may: "account.enter",
    body: z.strictObject({ token: entryToken, name, email, password: newPassword }),
    answer: { kind: "record", schema: signedIn },
    refusals: ["unauthenticated", "already_exists", "rate_limited"],
    machinery: true,
    setsCookies: true,
  },
  signOut: {
    method: "POST",
    path: "/api/auth/sign-out",
    summary: "End the session of this request",
    may: "account.own",
    answer: { kind: "nothing" },
    machinery: true,
    setsCookies: true,
  },
  session: {
    method: "GET",
    path: "/api/auth/get-session",
    summary: "Who is signed in",
    may: "account.own",
    answer: { kind: "record", schema: signedIn },
    setsCookies: true,
  },
  listSessions: {
    method: "GET",
    path: "/api/auth/sessions",
    summary: "Sessions of the caller that are still good; for the local board everyone's",
    may: "account.own",
    query: pageQuery({}),
    answer: { kind: "page", schema: session },
  },
  revokeSession: {
    method: "DELETE",
    path: "/api/auth/sessions/:sessionId",
    summary: "End a session of the caller at once, on every server",
    may: "account.own",
    answer: { kind: "nothing" },
    machinery: true,
  },
});
