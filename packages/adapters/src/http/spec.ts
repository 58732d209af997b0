import { commonSettings, defineAdapter, environmentName } from "@roster/adapter";
import { z } from "zod";

/** Where the value of a header refers to an entry of env. */
export const reference = /\{\{\s*env\.([^\s}]+)\s*\}\}/g;
const mostHeaders = 50;

const headerName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "is not a header name")
  .refine(
    (name) => !/^(?:host|connection|content-(?:type|length)|transfer-encoding|webhook-.*)$/i.test(name),
    "is set by the adapter",
  );
const headerValue = z
  .string()
  .max(8192)
  .regex(/^[ -~]*$/, "must be printable ASCII");

const headers = z
  .record(headerName, headerValue, {
    error: (issue) => (issue.code === "invalid_key" ? issue.issues?.[0]?.message : undefined),
  })
  .refine((given) => Object.keys(given).length <= mostHeaders, `at most ${mostHeaders} headers`);

const common = commonSettings.omit({ silenceTimeoutSec: true });

/** The settings without the rule that ties headers to env. */
export const httpSettings = common.extend({
  cwd: common.shape.cwd.describe("Not used by the service; handed to the receiver in the run order"),
  model: common.shape.model.describe("Not used by the service; handed to the receiver in the run order"),
  env: common.shape.env.describe(
    "Values that headers and signingSecretEnv refer to, at most 200 entries; the only place for secrets; never sent otherwise",
  ),
  graceSec: common.shape.graceSec.describe(
    "Time the receiver has to finish after it was told to cancel; with 0 it is not told",
  ),
  startTimeoutSec: common.shape.startTimeoutSec.describe("Longest time until the receiver accepts the connection"),
  url: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .max(2048)
    .refine((url) => !hasCredentials(url), "must not contain a user or a password; use headers and env")
    .describe("Where the run order is sent"),
  headers: headers
    .default({})
    .describe("Further headers, at most 50; {{env.NAME}} in a value is replaced by that entry of env"),
  signingSecretEnv: environmentName
    .optional()
    .describe(
      "Name of the entry of env that holds the signing secret (whsec_ and base64); without it nothing is signed",
    ),
});

const settings = httpSettings.superRefine((value, context) => {
  for (const { path, name } of references(value)) {
    if (Object.hasOwn(value.env, name)) continue;
    context.addIssue({ code: "custom", path, message: `refers to ${name}, which env does not have` });
  }
});

function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

interface Referring {
  readonly headers: Readonly<Record<string, string>>;
  readonly signingSecretEnv?: string | undefined;
}

function references(value: Referring): { path: string[]; name: string }[] {
  const inHeaders = Object.entries(value.headers).flatMap(([header, text]) =>
    [...text.matchAll(reference)].map((match) => ({ path: ["headers", header], name: match[1] ?? "" })),
  );
  const signing = value.signingSecretEnv;
  return signing === undefined ? inHeaders : [...inHeaders, { path: ["signingSecretEnv"], name: signing }];
}

/** An agent behind an HTTP address. */
export const httpSpec = defineAdapter({
  type: "http",
  title: "HTTP endpoint",
  description: "Sends each run to an address; for agents that live in a service of their own.",
  settings,
  example: {
    url: "https://agents.example.com/runs",
    headers: { "x-team": "shop" },
    timeoutSec: 3600,
  },
  notes: [
    "Each run is one POST with a JSON body: the run order with its type (run.start), the prompt, the ids of run, company and agent, what woke it (wakeReason), and under environment the variables of the run, its credential included.",
    "Status 200 means that the run is finished. A JSON answer may have text, isError, usage (a list of provider, model, inputTokens, cachedInputTokens, outputTokens, costUsd) and session (with an id, handed to the next run on the same issue); any other answer is the output of the run.",
    '202 means accepted: the receiver works on and finishes with POST /api/heartbeat-runs/:runId/complete, sent with the run\'s credential, a body such as { "status": "succeeded", "message": "Done." } or status failed; it may have usage and session too. Sent again it changes nothing.',
    "Any other status is a failure: 401, 402 and 403 are for a person to mend; 429, 502, 503, 504 and an address that cannot be reached are tried again later; everything else is not. Redirects are not followed.",
    "A run that is cancelled, or passes timeoutSec, is a second POST to the same address with the type run.cancel, unless graceSec is 0. timeoutSec bounds the whole run, also after a 202.",
    "webhook-id is the id of the run, and receivers should treat a known one as the same run. With signingSecretEnv, requests are signed as Standard Webhooks describes (webhook-id, webhook-timestamp, webhook-signature).",
    'Secrets are never written into url or headers: put the value into env and refer to it, for example "authorization": "Bearer {{env.HOOK_TOKEN}}".',
    "Only https at the ports 80 and 443 of public addresses is open; other ports, http, private and loopback addresses are refused unless the operator's allow-list (SERVICE_EGRESS_ALLOW of the runner) opens them. Instructions and skills are files of the runner's machine and are not sent.",
  ],
});
