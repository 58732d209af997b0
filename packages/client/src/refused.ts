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

/** True for a refusal, of one of these codes where any are named: `isRefused(error, "not_found", "forbidden")`. */
export function isRefused<C extends RefusalCode = RefusalCode>(
  error: unknown,
  ...codes: readonly C[]
): error is Refused & { readonly code: C } {
  if (!(error instanceof Refused)) return false;
  return codes.length === 0 || (codes as readonly RefusalCode[]).includes(error.code);
}

/** The refusal in an answer that is none of success. */
export async function refusalOf(response: Response): Promise<Refused> {
  const text = await response.text();
  return new Refused(response.status, parseRefusal(text, response), retryAfterSecOf(response));
}

/** Seconds, or the time until a date. */
function retryAfterSecOf({ headers }: Response): number | undefined {
  const header = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

/** What answers may be a proxy in front of the service; its refusals still become one shape. */
function parseRefusal(text: string, response: Response): RefusalBody {
  try {
    const body = JSON.parse(text) as Partial<RefusalBody>;
    if (typeof body.code === "string") return body as RefusalBody;
  } catch {
    // not JSON: told below
  }
  const requestId = response.headers.get("x-request-id") ?? "";
  return { error: `HTTP ${response.status}: ${text.slice(0, 200)}`, code: "internal", details: [], requestId };
}
