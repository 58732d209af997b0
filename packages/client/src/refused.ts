import type { RefusalBody, RefusalCode, RefusalDetail } from "@roster/contract";

/** Thrown when the service refuses a call. `code` is of the closed list; `details` and `fix` say how to mend it. */
export class Refused extends Error {
  readonly status: number;
  readonly code: RefusalCode;
  readonly details: readonly RefusalDetail[];
  readonly fix: Readonly<Record<string, unknown>> | undefined;
  readonly requestId: string;
  /** Seconds after which another try makes sense, where the service said so. */
  readonly retryAfterSec: number | undefined;

  constructor(status: number, body: RefusalBody, retryAfterSec?: number) {
    super(body.error);
    this.name = "Refused";
    this.status = status;
    this.code = body.code;
    this.details = body.details;
    this.fix = body.fix;
    this.requestId = body.requestId;
    this.retryAfterSec = retryAfterSec;
  }
}
