import type { Prices } from "./price.ts";
import { priceTable, priceTableVersion } from "./price-table.ts";

/** Dollars for a million tokens of a model without a price, if nothing else is set. */
const usualUnpricedUsd = 3;

/** The price table with this rate, in dollars for a million tokens, for what is not in it. */
export const pricesWith = (unpricedUsd = usualUnpricedUsd): Prices => ({
  version: priceTableVersion,
  table: priceTable,
  unpricedMicros: Math.ceil(unpricedUsd * 1_000_000),
});
