import { type AdapterEvent, eventOf } from "@roster/adapter";

/** The event that an object on a line is, by its type; null where it is none. Never throws. Pure. */
export function eventIn({ type, ...data }: Readonly<Record<string, unknown>>): AdapterEvent | null {
  if (typeof type !== "string") return null;
  if (type !== "output") return eventOf(type, data);
  return typeof data["text"] === "string" ? { kind: "output", text: data["text"] } : null;
}

/** Usage that names no model is booked under that of the settings. Pure. */
export function booked(event: AdapterEvent, model: string | undefined): AdapterEvent {
  if (event.kind !== "usage" || event.data.model !== undefined || model === undefined) return event;
  return { kind: "usage", data: { ...event.data, model } };
}
