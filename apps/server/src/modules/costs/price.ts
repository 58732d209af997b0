import type { pricings } from "@roster/contract";

/** Tokens by kind. */
export interface Tokens {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** What a family of models costs with its providers. */
export interface Price {
  readonly providers: readonly string[];
  readonly model: RegExp;
  /** Micro-dollars for a million tokens. */
  readonly rates: Tokens;
}

/** What a server prices usage with. */
export interface Prices {
  readonly version: string;
  readonly table: readonly Price[];
  /** Micro-dollars for a million tokens of any kind, of a model that the table does not know. */
  readonly unpricedMicros: number;
}

/** Something that was used; `costMicros` is what it is said to have cost, null where nothing is said. */
export interface Priceable extends Tokens {
  readonly provider: string;
  readonly model: string;
  readonly costMicros: number | null;
}

/** A cost, and where it comes from. */
export interface Priced {
  readonly costMicros: number;
  readonly priced: (typeof pricings)[number];
  readonly priceVersion: string | null;
}

/** What somebody says it cost, else the price of its model, else the rate for unknown ones: no token is free. Pure. */
export function priced(prices: Prices, used: Priceable): Priced {
  if (used.costMicros !== null) return { costMicros: used.costMicros, priced: "reported", priceVersion: null };
  const found = prices.table.find((price) => isOf(price, used));
  const rates = found?.rates ?? atOneRate(prices.unpricedMicros);
  return {
    costMicros: costOf(used, rates),
    priced: found === undefined ? "default" : "table",
    priceVersion: prices.version,
  };
}

/** What a program that names no provider runs is known by its model alone. */
const unknownProvider = "unknown";

function isOf({ providers, model }: Price, used: Priceable): boolean {
  const provider = used.provider.toLowerCase();
  return (provider === unknownProvider || providers.includes(provider)) && model.test(plainName(used.model));
}

/** A model without what brokers put before its name: `us.anthropic.claude-…`, `anthropic/claude-…`. */
const plainName = (model: string): string => model.toLowerCase().replace(/^.*\/|^(?:[a-z]+\.)?anthropic\./g, "");

const atOneRate = (rate: number): Tokens => ({ inputTokens: rate, cachedInputTokens: rate, outputTokens: rate });

/** Rounded up, so that what was used is never free. */
function costOf(used: Tokens, rates: Tokens): number {
  const kinds = ["inputTokens", "cachedInputTokens", "outputTokens"] as const;
  return Math.ceil(kinds.reduce((sum, kind) => sum + used[kind] * rates[kind], 0) / 1_000_000);
}
