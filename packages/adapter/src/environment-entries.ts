import { id, servicePrefix } from "@roster/contract";
import { z } from "zod";
import { childText } from "./child-text.ts";

const mostEntries = 200;

/** Name of an environment entry that an agent may set; names with the service's own prefix belong to the service. */
export const environmentName = z
  .string()
  .max(200)
  .regex(
    new RegExp(`^(?!${servicePrefix}_)[A-Za-z_][A-Za-z0-9_]*$`),
    `must be letters, digits and _, not start with a digit, and not start with ${servicePrefix}_, which is set by the service`,
  );

const plain = z.strictObject({ type: z.literal("plain"), value: childText() });
const secretRef = z.strictObject({
  type: z.literal("secret_ref"),
  secretId: id,
  version: z.union([z.literal("latest"), z.int().min(1)]).default("latest"),
});

/** Value of an environment entry: a text, the same text spelled out, or a reference into the company's secrets. */
export const environmentValue = z.union([childText(), plain, secretRef], {
  error:
    'must be a text, { "type": "plain", "value": text } or ' +
    '{ "type": "secret_ref", "secretId": uuid, "version": "latest" or a number from 1 }',
});
/** Value of an environment entry. */
export type EnvironmentValue = z.infer<typeof environmentValue>;

/** Environment entries of an agent by name. */
export const environmentEntries = z
  .record(environmentName, environmentValue, {
    // The name's own message says what is wrong; the record's would only say that a key is.
    error: (issue) => (issue.code === "invalid_key" ? issue.issues?.[0]?.message : undefined),
  })
  .refine((entries) => Object.keys(entries).length <= mostEntries, `at most ${mostEntries} entries`);
