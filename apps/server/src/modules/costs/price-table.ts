import type { Price } from "./price.ts";

/** Raised with every change of the table; a cost keeps the version that it was priced with. */
export const priceTableVersion = "2026-01";

const usd = (dollars: number): number => Math.round(dollars * 1_000_000);
/** Dollars for a million tokens: input, input read from a cache, output. */
const rates = (input: number, cachedInput: number, output: number): Price["rates"] => ({
  inputTokens: usd(input),
  cachedInputTokens: usd(cachedInput),
  outputTokens: usd(output),
});

const anthropic = ["anthropic", "bedrock", "amazon-bedrock", "vertex", "google-vertex", "openrouter"];
const openai = ["openai", "azure", "azure-openai", "openrouter"];
const google = ["google", "gemini", "vertex", "google-vertex", "openrouter"];

/**
 * What providers publish for the models that the adapters' programs are used with, without discounts and without
 * surcharges. The first line that fits counts; what fits none has no price.
 */
export const priceTable: readonly Price[] = [
  { providers: anthropic, model: /^claude-opus-4-[5-9]\b/, rates: rates(5, 0.5, 25) },
  { providers: anthropic, model: /^claude-(opus-4|4-opus|3-opus)\b/, rates: rates(15, 1.5, 75) },
  { providers: anthropic, model: /^claude-(sonnet-4|4-sonnet|3-[57]-sonnet)\b/, rates: rates(3, 0.3, 15) },
  { providers: anthropic, model: /^claude-haiku-4\b/, rates: rates(1, 0.1, 5) },
  { providers: anthropic, model: /^claude-3-5-haiku\b/, rates: rates(0.8, 0.08, 4) },
  { providers: anthropic, model: /^claude-3-haiku\b/, rates: rates(0.25, 0.03, 1.25) },
  { providers: openai, model: /^gpt-5(\.\d)?-mini\b/, rates: rates(0.25, 0.025, 2) },
  { providers: openai, model: /^gpt-5(\.\d)?-nano\b/, rates: rates(0.05, 0.005, 0.4) },
  { providers: openai, model: /^gpt-5(\.1)?(-codex)?(-\d{4}.*)?$/, rates: rates(1.25, 0.125, 10) },
  { providers: openai, model: /^gpt-5\.2(-codex)?(-\d{4}.*)?$/, rates: rates(1.75, 0.175, 14) },
  { providers: openai, model: /^gpt-4\.1-mini\b/, rates: rates(0.4, 0.1, 1.6) },
  { providers: openai, model: /^gpt-4\.1-nano\b/, rates: rates(0.1, 0.025, 0.4) },
  { providers: openai, model: /^gpt-4\.1(-\d{4}.*)?$/, rates: rates(2, 0.5, 8) },
  { providers: openai, model: /^gpt-4o-mini\b/, rates: rates(0.15, 0.075, 0.6) },
  { providers: openai, model: /^gpt-4o(-\d{4}.*)?$/, rates: rates(2.5, 1.25, 10) },
  { providers: openai, model: /^o3(-\d{4}.*)?$/, rates: rates(2, 0.5, 8) },
  { providers: openai, model: /^o4-mini\b/, rates: rates(1.1, 0.275, 4.4) },
  { providers: google, model: /^gemini-3-pro\b/, rates: rates(2, 0.2, 12) },
  { providers: google, model: /^gemini-2\.5-pro\b/, rates: rates(1.25, 0.125, 10) },
  { providers: google, model: /^gemini-2\.5-flash-lite\b/, rates: rates(0.1, 0.01, 0.4) },
  { providers: google, model: /^gemini-2\.5-flash\b/, rates: rates(0.3, 0.03, 2.5) },
];
