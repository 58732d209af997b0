import { type Dialect, lastOf, type StreamedEvent, shellTool, textIn } from "./dialect.ts";
import { usageOf } from "./turn.ts";

interface Part {
  readonly functionResponse?: { readonly response?: unknown };
}
interface Content {
  readonly parts?: readonly Part[];
}

/** The API of Google's Gemini. */
export const generateContentApi: Dialect = {
  speaks: (path) => /:(?:stream)?generateContent$/i.test(path),
  printed: (body) => {
    const parts = ((body["contents"] ?? []) as readonly Content[]).flatMap((content) => content.parts ?? []);
    return lastOf(parts, ({ functionResponse }) => (functionResponse ? textIn(functionResponse.response) : null)) ?? "";
  },
  events: (turn, { body }) => {
    const part =
      "command" in turn ? callPart(body, turn.command) : { text: "cutOff" in turn ? turn.cutOff : turn.text };
    const { input, cached, output } = usageOf(turn);
    const finished = "cutOff" in turn ? {} : { finishReason: "STOP" };
    const event: StreamedEvent = {
      data: {
        candidates: [{ index: 0, content: { role: "model", parts: [part] }, ...finished }],
        usageMetadata: {
          // Here the cached ones are a part of the input.
          promptTokenCount: input + cached,
          cachedContentTokenCount: cached,
          candidatesTokenCount: output,
          totalTokenCount: input + cached + output,
        },
      },
    };
    return [event];
  },
  refusal: (status, message) => ({ error: { code: status, message, status: kindOf(status) } }),
};

function callPart(body: Readonly<Record<string, unknown>>, command: string) {
  return { functionCall: { name: shellTool(body, ["run_shell_command"]), args: { command } } };
}

function kindOf(status: number): string {
  if (status === 401) return "UNAUTHENTICATED";
  return status === 429 ? "RESOURCE_EXHAUSTED" : "UNAVAILABLE";
}
