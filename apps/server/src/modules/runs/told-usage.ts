import type { JsonObject } from "@roster/contract";

/** Tokens, by kind. */
export const tokenKinds = ["inputTokens", "cachedInputTokens", "outputTokens"] as const;

/** What a run told it used of one model; `costMicros` is null where it named no cost. */
export interface ToldUsage extends Readonly<Record<(typeof tokenKinds)[number], number>> {
  readonly provider: string;
  readonly model: string;
  readonly costMicros: number | null;
}

/** Of more models than this in one call, those that were used least are taken for one. */
const mostModels = 20;
/** More than any program uses: no sum of what one says breaks a number. */
const most = 1_000_000_000_000;

/** An amount as a program says it; 0 where that is none. Pure. */
export const amountOf = (said: unknown): number =>
  typeof said === "number" && said > 0 ? Math.min(Math.round(said), most) : 0;

/** What these events say was used, by model, and what of it came with a cost apart from the rest. Pure. */
export function usageIn(
  events: readonly { readonly kind: string; readonly data: JsonObject | null | undefined }[],
): ToldUsage[] {
  const told = events.flatMap(({ kind, data }) => (kind === "usage" ? [usageOf(data ?? {})] : []));
  const [own, rest] = split(summed(told));
  return [...own, ...summed(rest.map((usage) => ({ ...usage, provider: "other", model: "other" })))];
}

function usageOf(data: JsonObject): ToldUsage {
  const { inputTokens, cachedInputTokens, outputTokens, costMicros } = data;
  return {
    provider: nameOf(data["provider"], 100),
    model: nameOf(data["model"], 200),
    inputTokens: amountOf(inputTokens),
    cachedInputTokens: amountOf(cachedInputTokens),
    outputTokens: amountOf(outputTokens),
    costMicros: typeof costMicros === "number" ? amountOf(costMicros) : null,
  };
}

function nameOf(said: unknown, longest: number): string {
  const text = typeof said === "string" || typeof said === "number" ? String(said) : "";
  return [...text.slice(0, 2 * longest)].slice(0, longest).join("").trim() || "unknown";
}

function summed(told: readonly ToldUsage[]): ToldUsage[] {
  const sums = new Map<string, ToldUsage>();
  for (const usage of told) {
    const key = JSON.stringify([usage.provider, usage.model, usage.costMicros === null]);
    const before = sums.get(key);
    sums.set(key, before === undefined ? usage : plus(before, usage));
  }
  return [...sums.values()];
}

const plus = (one: ToldUsage, other: ToldUsage): ToldUsage => ({
  ...one,
  inputTokens: Math.min(one.inputTokens + other.inputTokens, most),
  cachedInputTokens: Math.min(one.cachedInputTokens + other.cachedInputTokens, most),
  outputTokens: Math.min(one.outputTokens + other.outputTokens, most),
  costMicros: one.costMicros === null ? null : Math.min(one.costMicros + (other.costMicros ?? 0), most),
});

const tokensOf = (usage: ToldUsage): number => tokenKinds.reduce((sum, kind) => sum + usage[kind], 0);

/** Those that were used most, and the others. */
function split(told: readonly ToldUsage[]): [ToldUsage[], ToldUsage[]] {
  const sorted = [...told].sort(
    (one, other) => (other.costMicros ?? 0) - (one.costMicros ?? 0) || tokensOf(other) - tokensOf(one),
  );
  return [sorted.slice(0, mostModels), sorted.slice(mostModels)];
}
