import { isUtf8 } from "node:buffer";
import type { JsonObject, ToldEvent } from "@roster/contract";
import type { Stream } from "../spool.ts";

/** An event before it is told: output is bytes still, so that what belongs together can be told together. */
export interface Entry {
  readonly kind: ToldEvent["kind"];
  readonly stream: Stream;
  readonly offset: number;
  readonly length: number;
  /** Of output only. */
  readonly content: Buffer | null;
  readonly data: JsonObject | null;
}

/** About how many bytes it takes to tell it. Pure. */
export function sizeOf({ content, data }: Entry): number {
  return (content?.length ?? 0) + (data === null ? 0 : JSON.stringify(data).length);
}

/** The event as it is told. Text has no NUL, which a database does not take. Pure. */
export function toldOf({ kind, stream, offset, length, content, data }: Entry): ToldEvent {
  const told = { kind, stream, offset, length };
  if (content === null) return data === null ? told : { ...told, data };
  if (isUtf8(content) && !content.includes(0)) return { ...told, text: content.toString("utf8") };
  return { ...told, base64: content.toString("base64") };
}
