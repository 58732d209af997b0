import type { Translator } from "@roster/adapter";
import { endingOutcome } from "../ending-outcome.ts";
import { booked, eventIn } from "../event-line.ts";
import { jsonLine } from "../json-line.ts";
import type { ProcessSettings } from "./program.ts";

/** Lines of JSON with a known type on standard output are events; everything else is output as it was printed. */
export function translator({ settings }: { readonly settings: ProcessSettings }): Translator {
  const line: Translator["line"] = (stream, text) => {
    const said = stream === "stdout" ? jsonLine(text) : null;
    const event = said === null ? null : eventIn(said);
    return event === null ? null : [booked(event, settings.model)];
  };
  return { line, outcome: endingOutcome };
}
