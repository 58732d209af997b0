import { randomUUID } from "node:crypto";
import { type Dialect, lastOf, type StreamedEvent, shellTool, textIn } from "./dialect.ts";
import { usageOf } from "./turn.ts";

interface Item {
  readonly type: string;
  readonly output?: unknown;
}

const named = (name: string, data: Readonly<Record<string, unknown>>): StreamedEvent => ({
  name,
  data: { type: name, ...data },
});

/** The Responses API of OpenAI. */
export const responsesApi: Dialect = {
  speaks: (path) => path.endsWith("/responses"),
  printed: (body) => {
    const items = (body["input"] ?? []) as readonly Item[];
    return lastOf(items, ({ type, output }) => (type === "function_call_output" ? textIn(output) : null)) ?? "";
  },
  events: (turn, { body }) => {
    const id = `resp_${randomUUID()}`;
    const created = named("response.created", { response: { id, model: body["model"], output: [] } });
    if ("cutOff" in turn) return [created, named("response.output_text.delta", { delta: turn.cutOff })];
    const item = "command" in turn ? callItem(shellTool(body, shellTools), turn.command) : textItem(turn.text);
    const { input, cached, output } = usageOf(turn);
    const usage = {
      // Here the cached ones are a part of the input.
      input_tokens: input + cached,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + cached + output,
    };
    return [
      created,
      named("response.output_item.done", { output_index: 0, item }),
      named("response.completed", { response: { id, model: body["model"], output: [item], usage } }),
    ];
  },
  refusal: (status, message) => ({ error: { type: kindOf(status), code: kindOf(status), message } }),
};

const shellTools = ["exec_command", "shell_command", "shell", "bash"];

function callItem(name: string, command: string) {
  const input = name === "exec_command" ? { cmd: command } : { command };
  return { type: "function_call", call_id: `call_${randomUUID()}`, name, arguments: JSON.stringify(input) };
}

function textItem(text: string) {
  return { type: "message", role: "assistant", id: `msg_${randomUUID()}`, content: [{ type: "output_text", text }] };
}

function kindOf(status: number): string {
  if (status === 401) return "invalid_api_key";
  return status === 429 ? "rate_limit_exceeded" : "server_error";
}
