export { decodeCursor, type Paged, pageOf } from "./cursor.ts";
export { guardLocal, guardLogin } from "./guard.ts";
export type { Connection, Handlers, HandlersOf, Versioned } from "./handler.ts";
export { forgetOldKeys } from "./idempotency.ts";
export { mount, refuseAddress, requestIdOf } from "./mount.ts";
export { refuseSecrets, secretInText } from "./secret-guard.ts";
