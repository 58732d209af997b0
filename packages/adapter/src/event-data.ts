import { z } from "zod";

const count = z.int().min(0);
const mostUsd = 1_000_000;

/** Something that was said; by the agent where no role is given. */
export const messageData = z.looseObject({
  text: z.string(),
  role: z.enum(["assistant", "user", "system"]).optional(),
});
/** A tool that is called. The id, where there is one, is that of its result. */
export const toolCallData = z.looseObject({ id: z.string().optional(), name: z.string(), input: z.json().optional() });
/** What came of a call of a tool. */
export const toolResultData = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  output: z.json().optional(),
  isError: z.boolean().optional(),
});
const usage = z.looseObject({
  provider: z.string().optional(),
  model: z.string().optional(),
  inputTokens: count.default(0),
  cachedInputTokens: count.default(0),
  outputTokens: count.default(0),
  costMicros: count.optional(),
});
/**
 * Tokens that were used since the usage before; `inputTokens` without those that were read from a cache. A cost in
 * dollars, `costUsd`, becomes one in millionths; without a cost of the program's own the service's rates are applied.
 */
export const usageData = usage
  .extend({ costUsd: z.number().min(0).max(mostUsd).optional() })
  .transform(
    ({ costUsd, ...data }): z.output<typeof usage> =>
      costUsd === undefined || data.costMicros !== undefined
        ? data
        : { ...data, costMicros: Math.round(costUsd * 1_000_000) },
  );
/** The session that can be resumed. */
export const sessionData = z.looseObject({ id: z.string().min(1) });
/** What the run came to, in the program's own words. */
export const resultData = z.looseObject({ text: z.string().optional(), isError: z.boolean().optional() });

/** The data of each kind of event that an adapter makes, but for output, which is text. */
export const eventData = {
  message: messageData,
  tool_call: toolCallData,
  tool_result: toolResultData,
  usage: usageData,
  session: sessionData,
  result: resultData,
} as const;

type EventData = typeof eventData;

/** An event that an adapter makes of a line. */
export type AdapterEvent =
  | { readonly kind: "output"; readonly text: string }
  | {
      readonly [Kind in keyof EventData]: { readonly kind: Kind; readonly data: z.output<EventData[Kind]> };
    }[keyof EventData];

/**
 * The event of this kind with this data; null when the kind is unknown or its data is not what the kind has, which goes
 * for data that is nested too deep to be looked at, too. Never throws. Pure.
 */
export function eventOf(kind: string, data: unknown): AdapterEvent | null {
  if (!Object.hasOwn(eventData, kind)) return null;
  const known = kind as keyof EventData;
  try {
    // Kind and data come from the same entry, which a union of all entries cannot say.
    return { kind: known, data: eventData[known].parse(data) } as AdapterEvent;
  } catch {
    return null;
  }
}
