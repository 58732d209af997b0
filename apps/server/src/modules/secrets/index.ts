export { environmentOf, textsIn } from "./environment.ts";
export { secretHandlers } from "./handlers.ts";
export { secretLocatable } from "./locatable.ts";
export { type IncomingEnvironment, moveSecretsOut } from "./move-secrets-out.ts";
export { resealSecrets } from "./reseal-secrets.ts";
export { pinSecrets, revealSecrets } from "./reveal-secrets.ts";
