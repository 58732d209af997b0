import { z } from "zod";

/** Every code a refusal can carry, with the HTTP status it answers with. The list is closed: a new code is added here. */
export const refusalStatus = {
  invalid_request: 400,
  malformed_json: 400,
  redacted_placeholder: 400,
  unauthenticated: 401,
  agent_credential_required: 401,
  credential_expired: 401,
  run_ended: 401,
  forbidden: 403,
  other_company: 403,
  credential_suspended: 403,
  not_found: 404,
  wrong_state: 409,
  already_decided: 409,
  already_exists: 409,
  agent_pending_approval: 409,
  agent_paused: 409,
  agent_terminated: 409,
  company_paused: 409,
  approval_required: 409,
  payload_changed: 409,
  checkout_held: 409,
  stale_lease: 409,
  over_budget: 409,
  wake_disabled: 409,
  stale_revision: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  unknown_skill: 422,
  ambiguous_skill: 422,
  unknown_reference: 422,
  reporting_cycle: 422,
  parent_cycle: 422,
  idempotency_key_reused: 422,
  secret_in_text: 422,
  source_refused: 422,
  source_unavailable: 422,
  source_unusable: 422,
  rate_limited: 429,
  internal: 500,
  overloaded: 503,
} as const;

/** What a code answers with instead, where it is not a header but something in a body or payload that was the cause. */
export const refusalStatusInBody = { stale_revision: 409 } as const satisfies Partial<
  Record<keyof typeof refusalStatus, number>
>;

/** A code of the closed list {@link refusalStatus}. */
export type RefusalCode = keyof typeof refusalStatus;

/** One thing that was wrong: where (`path`, dotted), what, and where it helps what would have been right. */
export const refusalDetail = z.object({
  path: z.string(),
  message: z.string(),
  allowed: z.array(z.string()).optional(),
  nearest: z.string().optional(),
});

/** The one shape of every refusal, on every route and for every status from 400 on. */
export const refusalBody = z.object({
  error: z.string().describe("A sentence a person understands"),
  code: z.enum(Object.keys(refusalStatus) as [RefusalCode, ...RefusalCode[]]),
  details: z.array(refusalDetail),
  fix: z.record(z.string(), z.unknown()).optional().describe("What to send or do instead"),
  requestId: z.string(),
});

/** The parsed body of a refusal. */
export type RefusalBody = z.infer<typeof refusalBody>;
/** One entry of a refusal's `details`. */
export type RefusalDetail = z.infer<typeof refusalDetail>;
