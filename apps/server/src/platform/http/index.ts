export type { Purpose } from "./ask.ts";
export { serveBoard } from "./board.ts";
export { decodeCursor, type Paged, pageOf } from "./cursor.ts";
export { guardLocal, guardLogin } from "./guard.ts";
export { type Connection, type Handlers, type HandlersOf, Reached, type Versioned } from "./handler.ts";
export { forgetOldKeys } from "./idempotency.ts";
export { mount, refuseAddress, requestIdOf } from "./mount.ts";
export { createRateLimiter, noRateLimits, type RateLimits, usualRateLimits } from "./rate-limit.ts";
export { refuseSecrets, secretInText } from "./secret-guard.ts";
