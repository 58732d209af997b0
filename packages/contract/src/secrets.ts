import { z } from "zod";
import { id, text, time, utf8Bytes } from "./fields.ts";
import { operations, pageQuery } from "./operation.ts";

/** Fewest and most bytes of a secret's value in UTF-8. Shorter ones occur in ordinary text and could not be hidden. */
export const secretBytes = { least: 8, most: 65_536 } as const;
/** First part of the names of secrets that the service itself makes, out of agents' environments. */
export const agentSecretPrefix = "agents/";

/** What can be told of a secret: everything but its value. */
export const secret = z
  .object({
    id,
    companyId: id,
    name: z.string(),
    description: text,
    latestVersion: z.int().describe("Versions count from 1; every one of them can be referred to"),
    createdAt: time,
    updatedAt: time.describe("When the latest version was stored"),
  })
  .meta({ id: "Secret" });
/** A secret as the API answers it. */
export type Secret = z.infer<typeof secret>;

const secretName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$/, "must be 1 to 200 letters, digits or . _ / -, a letter or digit first")
  .refine(
    (name) => !name.startsWith(agentSecretPrefix),
    `must not begin with ${agentSecretPrefix}, which is kept for what agents' environments hold`,
  )
  .describe("Unique in the company");

const value = z
  .string()
  .refine(
    (given) => utf8Bytes(given) >= secretBytes.least,
    `must have at least ${secretBytes.least} bytes: a shorter value cannot be told from ordinary text, so it could not be kept out of logs`,
  )
  .refine((given) => utf8Bytes(given) <= secretBytes.most, `must have at most ${secretBytes.most} bytes`)
  .describe(`${secretBytes.least} to ${secretBytes.most} bytes; never answered`)
  .meta({ holdsSecrets: true });

/** Operations on a company's secrets. None answers a value. */
export const secrets = operations({
  list: {
    method: "GET",
    path: "/api/companies/:companyId/secrets",
    summary: "Names of a company's secrets",
    may: "secret.read",
    query: pageQuery({}),
    answer: { kind: "page", schema: secret },
  },
  create: {
    method: "POST",
    path: "/api/companies/:companyId/secrets",
    summary: "Store a secret; its value is never shown again",
    may: "secret.manage",
    body: z.strictObject({ name: secretName, value, description: text.default(null) }),
    answer: { kind: "created", at: "/api/secrets/:id", schema: secret, versioned: true },
    refusals: ["already_exists"],
  },
  get: {
    method: "GET",
    path: "/api/secrets/:secretId",
    summary: "Read what can be told of a secret",
    may: "secret.read",
    answer: { kind: "record", schema: secret, versioned: true },
  },
  rotate: {
    method: "POST",
    path: "/api/secrets/:secretId/rotate",
    summary: "Store a new version; references to older versions keep their value",
    may: "secret.manage",
    body: z.strictObject({ value }),
    answer: { kind: "record", schema: secret, versioned: true },
  },
});
