import type { RunEvent } from "@roster/client";

/** What a transcript shows: events as people read them. */
export type TranscriptEntry =
  | { readonly kind: "message"; readonly seq: number; readonly text: string }
  | { readonly kind: "note"; readonly seq: number; readonly text: string }
  | { readonly kind: "output"; readonly seq: number; text: string; readonly isError: boolean }
  | {
      readonly kind: "tool";
      readonly seq: number;
      readonly id: string | null;
      readonly name: string;
      readonly input: string;
      output: string | null;
      isError: boolean;
    };

/**
 * Events as a conversation: a tool's result stands with its call, output that came in pieces is one, and what is for
 * machines is left out. Pure.
 */
export function entriesOf(events: readonly RunEvent[]): readonly TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  for (const event of events) add(entries, event);
  return entries;
}

function add(entries: TranscriptEntry[], event: RunEvent): void {
  const { kind, seq, data } = event;
  if (kind === "output") addOutput(entries, event);
  else if (kind === "message") entries.push({ kind, seq, text: textOf(data?.["text"]) });
  else if (kind === "tool_result") addResult(entries, event);
  else if (kind === "gap") entries.push({ kind: "note", seq, text: "Output was left out here." });
  else if (kind === "tool_call") {
    const id = typeof data?.["id"] === "string" ? data["id"] : null;
    const call = { name: textOf(data?.["name"]), input: textOf(data?.["input"]), output: null, isError: false };
    entries.push({ kind: "tool", seq, id, ...call });
  } else if (kind === "result" && typeof data?.["text"] === "string" && !isSaid(entries, data["text"])) {
    entries.push({ kind: "message", seq, text: data["text"] });
  }
}

function addOutput(entries: TranscriptEntry[], { seq, stream, text }: RunEvent): void {
  const isError = stream === "stderr";
  const last = entries.at(-1);
  if (last?.kind === "output" && last.isError === isError) last.text += text ?? "";
  else entries.push({ kind: "output", seq, text: text ?? "", isError });
}

function addResult(entries: TranscriptEntry[], { seq, data }: RunEvent): void {
  const output = textOf(data?.["output"]);
  const isError = data?.["isError"] === true;
  const call = entries.findLast(
    (entry) => entry.kind === "tool" && entry.output === null && entry.id === (data?.["id"] ?? null),
  );
  if (call?.kind !== "tool") {
    entries.push({ kind: "tool", seq, id: null, name: textOf(data?.["name"]) || "result", input: "", output, isError });
    return;
  }
  call.output = output;
  call.isError = isError;
}

/** Many programs say their last message once more as their result. */
function isSaid(entries: readonly TranscriptEntry[], text: string): boolean {
  const last = entries.findLast(({ kind }) => kind === "message");
  return last?.kind === "message" && last.text.trim() === text.trim();
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
