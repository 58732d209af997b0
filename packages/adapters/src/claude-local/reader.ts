import { amountAt, entriesAt, fieldAt, listAt, textAt } from "../command-line/fields.ts";
import type { Draft, LineReader } from "../command-line/translator.ts";
import { type Trouble, troubleIn, troubleOfStatus } from "../command-line/trouble.ts";

type Line = Readonly<Record<string, unknown>>;

interface Answer {
  readonly model: string;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

const provider = "anthropic";
const firstMs = 1_000_000_000_000;

/** What Claude Code prints with `--output-format stream-json`. */
export class ClaudeReader implements LineReader {
  hasBegun = false;
  trouble: Trouble | null = null;
  #isTold = false;
  /** Of answers of the model, by their ids: one answer is several lines, and each says all of it. */
  readonly #answers = new Map<string, Answer>();
  #again: Pick<Trouble, "retryAfterSec" | "retryAtMs"> = {};

  read(line: Line): readonly Draft[] | null {
    switch (line["type"]) {
      case "system":
        return this.#system(line);
      case "assistant":
        return this.#assistant(line);
      case "user":
        return listAt(line, "message.content").flatMap(toolResult);
      case "result":
        return typeof line["is_error"] === "boolean" ? this.#result(line) : null;
      case "rate_limit_event":
        return this.#limit(line);
      case "stream_event":
        return [];
      default:
        return null;
    }
  }

  /** A run that was ended has not said what it used in all: what its answers said stands for it. */
  end(): readonly Draft[] {
    if (this.#isTold) return [];
    const models = new Map<string, Answer>();
    for (const answer of this.#answers.values()) models.set(answer.model, sumOf(answer, models.get(answer.model)));
    return [...models.values()].map((used) => ["usage", { provider, ...used }]);
  }

  #system(line: Line): readonly Draft[] {
    const id = textAt(line, "session_id");
    if (line["subtype"] === "init" && id !== undefined) {
      this.hasBegun = true;
      return [["session", { id }]];
    }
    if (line["subtype"] !== "api_retry") return [];
    const status = amountAt(line, "error_status");
    const retryAfterSec = Math.ceil(amountAt(line, "retry_delay_ms") / 1000);
    if (retryAfterSec > 0) this.#again = { ...this.#again, retryAfterSec };
    const why = [status === 0 ? undefined : status, textAt(line, "error")]
      .filter((part) => part !== undefined)
      .join(" ");
    return [["message", { role: "system", text: `The model did not answer (${why}); it is asked again.` }]];
  }

  #assistant(line: Line): readonly Draft[] | null {
    const content = fieldAt(line, "message.content");
    if (!Array.isArray(content)) return null;
    const id = textAt(line, "message.id");
    const answer = answerIn(line);
    if (id !== undefined && answer !== null) this.#answers.set(id, answer);
    const error = textAt(line, "error");
    const words = content.map((block) => textAt(block, "text") ?? "").join(" ");
    if (error !== undefined) this.trouble = this.#troubleOf(error, words);
    return content.flatMap(said);
  }

  #result(line: Line): readonly Draft[] {
    this.#isTold = true;
    const isError = line["is_error"] === true;
    const words = textAt(line, "result") ?? listAt(line, "errors").filter(isText).join("; ");
    // What went wrong on the way and was overcome is no trouble.
    this.trouble = isError ? this.#troubleAtEnd(line, words) : null;
    const used = entriesAt(line, "modelUsage").flatMap(([model, of]) => usageOfModel(model, of));
    return [...used, ["result", { isError, ...(words !== "" && { text: words }) }]];
  }

  #troubleAtEnd(line: Line, words: string): Trouble {
    if (line["subtype"] === "error_max_budget_usd") return { code: "budget_exhausted", words };
    if (line["subtype"] === "error_max_turns") return { code: "agent_error", words };
    const byStatus = troubleOfStatus(amountAt(line, "api_error_status"), words);
    const trouble = this.trouble ?? byStatus ?? { code: "agent_error", words };
    return trouble.code === "rate_limited" ? { ...trouble, ...this.#again } : trouble;
  }

  #troubleOf(error: string, words: string): Trouble {
    if (["authentication_failed", "billing_error", "oauth_org_not_allowed"].includes(error)) {
      return { code: "auth_failed", words };
    }
    if (["rate_limit", "overloaded", "server_error"].includes(error)) {
      return { ...troubleIn(words), code: "rate_limited", words };
    }
    return { code: "agent_error", words };
  }

  #limit(line: Line): readonly Draft[] {
    const resetsAt = amountAt(line, "rate_limit_info.resetsAt");
    if (textAt(line, "rate_limit_info.status") === "rejected" && resetsAt > 0) {
      // In seconds, by what it says; in milliseconds, by what others have written of it.
      this.#again = { retryAtMs: resetsAt < firstMs ? resetsAt * 1000 : resetsAt };
    }
    return [];
  }
}

const isText = (value: unknown): value is string => typeof value === "string";

function said(block: unknown): readonly Draft[] {
  const text = textAt(block, "text");
  if (fieldAt(block, "type") === "text" && text !== undefined) return [["message", { text }]];
  if (fieldAt(block, "type") !== "tool_use") return [];
  const id = textAt(block, "id");
  return [["tool_call", { ...(id && { id }), name: textAt(block, "name") ?? "tool", input: fieldAt(block, "input") }]];
}

function toolResult(block: unknown): readonly Draft[] {
  if (fieldAt(block, "type") !== "tool_result") return [];
  const id = textAt(block, "tool_use_id");
  const isError = fieldAt(block, "is_error") === true;
  return [["tool_result", { ...(id && { id }), output: fieldAt(block, "content"), isError }]];
}

/** What an answer used, without its cost; null for one that the program made up itself. */
function answerIn(line: Line): Answer | null {
  const model = textAt(line, "message.model");
  if (model === undefined || model.startsWith("<")) return null;
  const of = fieldAt(line, "message.usage");
  const inputTokens = amountAt(of, "input_tokens") + amountAt(of, "cache_creation_input_tokens");
  const cachedInputTokens = amountAt(of, "cache_read_input_tokens");
  return { model, inputTokens, cachedInputTokens, outputTokens: amountAt(of, "output_tokens") };
}

function sumOf(one: Answer, other: Answer | undefined): Answer {
  if (other === undefined) return one;
  return {
    model: one.model,
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

function usageOfModel(named: string, of: unknown): readonly Draft[] {
  // It marks a larger context this way.
  const model = named.replace(/\[\w+\]$/, "");
  const inputTokens = amountAt(of, "inputTokens") + amountAt(of, "cacheCreationInputTokens");
  const cachedInputTokens = amountAt(of, "cacheReadInputTokens");
  const costUsd = fieldAt(of, "costUSD");
  // Nothing is free: where it knows no price, the service's rates are applied.
  const cost = typeof costUsd === "number" && costUsd > 0 ? { costUsd } : {};
  const tokens = { inputTokens, cachedInputTokens, outputTokens: amountAt(of, "outputTokens") };
  return [["usage", { provider, model, ...tokens, ...cost }]];
}
