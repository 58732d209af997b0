import type { IncomingMessage } from "node:http";
import { type EgressFault, faultOf } from "@roster/egress";
import type { CallFailure } from "../call-input.ts";

/** Thrown where the call cannot go on. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  readonly failure: CallFailure;

  constructor(failure: CallFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

const longestWords = 1500;
/** What somebody before the receiver says when that is not there, and what it says when it is too much for it. */
const passing: readonly number[] = [429, 502, 503, 504];
const person: readonly number[] = [401, 402, 403];

/** Why nothing was sent: the place is closed, which a person has to mend, or nobody is there, which passes. Pure. */
export function failureOfWay(fault: EgressFault): CallFailure {
  if (fault.kind === "refused") {
    return { code: "adapter_misconfigured", message: `The address of the receiver ${fault.message}.` };
  }
  return { code: "rate_limited", message: `The receiver ${fault.message}.` };
}

/** It was sent and not answered: what came of it nobody knows, so it is not sent again. Pure. */
export function failureOfSilence(error: unknown): CallFailure {
  return { code: "agent_error", message: `The call of the receiver came to nothing: it ${faultOf(error).message}.` };
}

/** It answered with a status that is no success; null for 200 and 202. `now` in milliseconds since 1970. Pure. */
export function failureOfAnswer(
  { statusCode: status = 0, headers }: Pick<IncomingMessage, "statusCode" | "headers">,
  now: number,
): CallFailure | null {
  if (status === 200 || status === 202) return null;
  const message = `The receiver answered with status ${status}`;
  if (person.includes(status)) return { code: "auth_failed", message: `${message}: it does not let the call in.` };
  if (passing.includes(status)) {
    const retryAfterSec = retryAfterSecOf(headers["retry-after"] ?? "", now);
    const again = retryAfterSec === null ? {} : { retryAfterSec };
    return { code: "rate_limited", message: `${message}: it takes no call for now.`, ...again };
  }
  if (status >= 300 && status < 400) {
    return {
      code: "adapter_misconfigured",
      message: `${message}: redirects are not followed; set url to where it is.`,
    };
  }
  return { code: "agent_error", message: `${message}; 200 and 202 are good.` };
}

/** The receiver itself says that the run failed. Pure. */
export function failureByWord(words: unknown): CallFailure {
  const said = typeof words === "string" ? words.trim().slice(0, longestWords).replace(/\.+$/, "") : "";
  return { code: "agent_error", message: `The receiver says that the run failed${said === "" ? "" : `: ${said}`}.` };
}

/** Seconds, or the time until a date; null for neither. Pure. */
export function retryAfterSecOf(header: string, now: number): number | null {
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}
