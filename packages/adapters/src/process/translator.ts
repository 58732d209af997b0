import { type AdapterEvent, eventOf, type Translator } from "@roster/adapter";
import { endingOutcome } from "../ending-outcome.ts";
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

function eventIn({ type, ...data }: Readonly<Record<string, unknown>>): AdapterEvent | null {
  if (typeof type !== "string") return null;
  if (type !== "output") return eventOf(type, data);
  return typeof data["text"] === "string" ? { kind: "output", text: data["text"] } : null;
}

/** Usage that names no model is booked under that of the settings. */
function booked(event: AdapterEvent, model: string | undefined): AdapterEvent {
  if (event.kind !== "usage" || event.data.model !== undefined || model === undefined) return event;
  return { kind: "usage", data: { ...event.data, model } };
}
