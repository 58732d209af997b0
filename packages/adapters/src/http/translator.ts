import type { AdapterOutcome, Translator } from "@roster/adapter";
import { endingOutcome } from "../ending-outcome.ts";
import { booked, eventIn } from "../event-line.ts";
import { jsonLine } from "../json-line.ts";
import { type CallFailureCode, callLines, exitCodes } from "./call-input.ts";
import type { HttpSettings } from "./program.ts";

const failureCodes: readonly string[] = [
  "agent_error",
  "auth_failed",
  "rate_limited",
  "adapter_misconfigured",
] satisfies CallFailureCode[];
const longestMessage = 2000;

/**
 * What the call says of itself and of a JSON answer are events; the text of an answer is output, whatever it looks like.
 */
export function translator({ settings }: { readonly settings: HttpSettings }): Translator {
  let isText = false;
  let failure: AdapterOutcome | null = null;
  const line: Translator["line"] = (stream, text) => {
    const said = stream === "stderr" || isText ? null : jsonLine(text);
    if (said === null) return null;
    if (said["type"] === callLines.text) {
      isText = true;
      return [];
    }
    if (said["type"] === callLines.failed) {
      failure = failureIn(said);
      return failure === null ? null : [];
    }
    const event = eventIn(said);
    return event === null ? null : [booked(event, settings.model)];
  };
  const outcome: Translator["outcome"] = (ending) => {
    if (failure !== null) return failure;
    if (ending.exitCode === 0) return { code: "ok", message: "The receiver has finished the run." };
    if (ending.exitCode !== exitCodes.brokenOff) return endingOutcome(ending);
    return { code: "agent_error", message: "The answer of the receiver broke off." };
  };
  return { line, outcome };
}

function failureIn({ code, message, retryAfterSec }: Readonly<Record<string, unknown>>): AdapterOutcome | null {
  if (typeof code !== "string" || !failureCodes.includes(code) || typeof message !== "string") return null;
  const again = typeof retryAfterSec === "number" && retryAfterSec >= 0 ? { retryAfterSec } : {};
  // It is one of the codes of failures, which the list cannot say to the compiler.
  return { code: code as CallFailureCode, message: message.slice(0, longestMessage), ...again };
}
