import type { RefusalBody } from "@roster/contract";
import type { FastifyError } from "fastify";
import { LogClosed } from "../activity/index.ts";
import { isAway, isBusy } from "../database/index.ts";
import { Refusal } from "../refusal.ts";
import { redactText } from "../secrets/index.ts";

/** Who is many at once should not come back at once. */
const busyRetrySec = 5;

/** The refusal that an error becomes; what is not foreseen becomes `internal`, which says nothing of its cause. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof LogClosed) return archived(error.companyId);
  if (isAway(error)) {
    return new Refusal("overloaded", "The database cannot be reached at the moment. Try again.", { retryAfterSec: 1 });
  }
  if (isBusy(error)) {
    const words = "The database has too much to do at the moment. Try again a little later.";
    return new Refusal("overloaded", words, { retryAfterSec: busyRetrySec });
  }
  const { statusCode, code } = error as Partial<FastifyError>;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new Refusal("payload_too_large", "The body is larger than this route accepts.");
  }
  if (statusCode === 415) return new Refusal("unsupported_media_type", "The body must be JSON.");
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal("invalid_request", "The request cannot be understood.");
  }
  return new Refusal("internal", "Something went wrong here. It has been logged under the request id.");
}

const archived = (companyId: string): Refusal =>
  new Refusal("wrong_state", "This company is archived; resume it before changing anything in it.", {
    details: [{ path: "status", message: "is archived", allowed: ["active", "paused"] }],
    fix: { method: "POST", path: `/api/companies/${companyId}/resume` },
  });

/** The body of a refusal. What callers sent stands in it only by name, and even names are redacted. */
export function refusalBodyOf(refusal: Refusal, requestId: string): RefusalBody {
  return {
    error: redactText(refusal.message),
    code: refusal.code,
    details: refusal.details.map((detail) => ({
      ...detail,
      path: redactText(detail.path),
      message: redactText(detail.message),
    })),
    ...(refusal.fix && { fix: { ...refusal.fix } }),
    requestId,
  };
}

/** A refusal where answers are plain text. */
export const refusalText = ({ error, code, requestId }: RefusalBody): string =>
  `${error}\ncode: ${code}\nrequest: ${requestId}\n`;
