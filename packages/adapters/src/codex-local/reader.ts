import { amountAt, fieldAt, textAt } from "../command-line/fields.ts";
import type { Draft, LineReader } from "../command-line/translator.ts";
import { type Trouble, troubleIn } from "../command-line/trouble.ts";

type Line = Readonly<Record<string, unknown>>;

const kinds = ["inputTokens", "cachedInputTokens", "outputTokens"] as const;
type Totals = Readonly<Record<(typeof kinds)[number], number>>;

/** What Codex prints with `exec --json`. */
export class CodexReader implements LineReader {
  hasBegun = false;
  trouble: Trouble | null = null;
  readonly #model: string | undefined;
  #sessionId: string | undefined;
  #before: Totals;
  #lastWords: string | undefined;

  /** It counts a conversation from its beginning: what earlier runs of it used stands in their session event. */
  constructor(model: string | undefined, session: Readonly<Record<string, unknown>> | null) {
    this.#model = model;
    this.#before = totalsIn(session);
  }

  read(line: Line): readonly Draft[] | null {
    switch (line["type"]) {
      case "thread.started":
        return this.#started(line);
      case "turn.started":
      case "item.updated":
        return [];
      case "item.started":
        return calls(line["item"]);
      case "item.completed":
        return this.#completed(line["item"]);
      case "turn.completed":
        return this.#used(line);
      case "turn.failed":
        return this.#failed(textAt(line, "error.message") ?? "");
      case "error":
        return systemMessage(textAt(line, "message"));
      default:
        return null;
    }
  }

  #started(line: Line): readonly Draft[] | null {
    const id = textAt(line, "thread_id");
    if (id === undefined) return null;
    this.hasBegun = true;
    this.#sessionId = id;
    return [["session", { id, ...this.#before }]];
  }

  #completed(item: unknown): readonly Draft[] | null {
    const text = textAt(item, "text");
    switch (fieldAt(item, "type")) {
      case "agent_message":
        this.#lastWords = text;
        return text === undefined ? [] : [["message", { text }]];
      case "error":
        return systemMessage(textAt(item, "message"));
      case "file_change":
      case "web_search":
        return [...calls(item), ...results(item)];
      default:
        return results(item);
    }
  }

  #used(line: Line): readonly Draft[] {
    this.trouble = null;
    const cached = amountAt(line, "usage.cached_input_tokens");
    const total: Totals = {
      inputTokens: Math.max(amountAt(line, "usage.input_tokens") - cached, 0),
      cachedInputTokens: cached,
      outputTokens: amountAt(line, "usage.output_tokens"),
    };
    // Less than before: this version counts each run by itself.
    const since = kinds.every((kind) => total[kind] >= this.#before[kind]) ? this.#before : totalsIn(null);
    this.#before = total;
    const used = Object.fromEntries(kinds.map((kind) => [kind, total[kind] - since[kind]]));
    const model = this.#model === undefined ? {} : { model: this.#model };
    const session: Draft[] = this.#sessionId === undefined ? [] : [["session", { id: this.#sessionId, ...total }]];
    const words = this.#lastWords === undefined ? {} : { text: this.#lastWords };
    return [["usage", { provider: "openai", ...model, ...used }], ...session, ["result", { isError: false, ...words }]];
  }

  #failed(words: string): readonly Draft[] {
    this.trouble = troubleIn(words);
    return [["result", { isError: true, text: words }]];
  }
}

function totalsIn(session: Readonly<Record<string, unknown>> | null): Totals {
  return {
    inputTokens: amountAt(session, "inputTokens"),
    cachedInputTokens: amountAt(session, "cachedInputTokens"),
    outputTokens: amountAt(session, "outputTokens"),
  };
}

function systemMessage(text: string | undefined): readonly Draft[] | null {
  return text === undefined ? null : [["message", { role: "system", text }]];
}

const inputs: Readonly<Record<string, string>> = {
  command_execution: "command",
  mcp_tool_call: "arguments",
  file_change: "changes",
  web_search: "query",
};

function calls(item: unknown): readonly Draft[] {
  const type = textAt(item, "type") ?? "";
  const input = Object.hasOwn(inputs, type) ? inputs[type] : undefined;
  if (input === undefined) return [];
  const server = textAt(item, "server");
  const name = type === "mcp_tool_call" ? `${server ?? "server"}.${textAt(item, "tool") ?? "tool"}` : type;
  return [["tool_call", { ...idOf(item), name, input: { [input]: fieldAt(item, input) ?? null } }]];
}

function results(item: unknown): readonly Draft[] {
  const type = textAt(item, "type") ?? "";
  if (!Object.hasOwn(inputs, type)) return [];
  const isError = textAt(item, "status") === "failed" || amountAt(item, "exit_code") !== 0;
  const output = fieldAt(item, "aggregated_output") ?? fieldAt(item, "result") ?? fieldAt(item, "error") ?? null;
  return [["tool_result", { ...idOf(item), name: type, output, isError }]];
}

function idOf(item: unknown): { readonly id?: string } {
  const id = textAt(item, "id");
  return id === undefined ? {} : { id };
}
