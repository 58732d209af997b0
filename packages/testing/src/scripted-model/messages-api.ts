import { randomUUID } from "node:crypto";
import { type Dialect, lastOf, type StreamedEvent, shellTool, textIn } from "./dialect.ts";
import { usageOf } from "./turn.ts";

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
}
interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

const named = (name: string, data: Readonly<Record<string, unknown>>): StreamedEvent => ({
  name,
  data: { type: name, ...data },
});

/** The Messages API of Anthropic. */
export const messagesApi: Dialect = {
  speaks: (path) => path.endsWith("/messages"),
  printed: (body) => {
    const messages = (body["messages"] ?? []) as readonly Message[];
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    return lastOf(blocks, ({ type, content }) => (type === "tool_result" ? textIn(content) : null)) ?? "";
  },
  events: (turn, { body }) => {
    const { input, cached, output } = usageOf(turn);
    const usage = { input_tokens: input, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 };
    const message = { id: `msg_${randomUUID()}`, type: "message", role: "assistant", model: body["model"] };
    const empty = { content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 0 } };
    const start = named("message_start", { message: { ...message, ...empty } });
    if ("cutOff" in turn) return [start, ...textBlock(turn.cutOff)];
    const isCall = "command" in turn;
    const block = isCall ? callBlock(shellTool(body, ["Bash", "bash"]), turn.command) : textBlock(turn.text);
    const stopped = { stop_reason: isCall ? "tool_use" : "end_turn", stop_sequence: null };
    const delta = named("message_delta", { delta: stopped, usage: { ...usage, output_tokens: output } });
    return [start, ...block, named("content_block_stop", { index: 0 }), delta, named("message_stop", {})];
  },
  refusal: (status, message) => ({ type: "error", error: { type: kindOf(status), message } }),
};

function textBlock(text: string): StreamedEvent[] {
  return [
    named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    named("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
  ];
}

function callBlock(name: string, command: string): StreamedEvent[] {
  const call = { type: "tool_use", id: `toolu_${randomUUID()}`, name, input: {} };
  const input = JSON.stringify({ command, description: "What the script says" });
  return [
    named("content_block_start", { index: 0, content_block: call }),
    named("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: input } }),
  ];
}

function kindOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 429) return "rate_limit_error";
  return status === 529 ? "overloaded_error" : "api_error";
}
