export { type Booked, bookUsage } from "./book-usage.ts";
export { costHandlers } from "./handlers.ts";
export type { Prices } from "./price.ts";
export { pricesWith } from "./prices.ts";
