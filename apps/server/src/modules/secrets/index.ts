export { secretHandlers } from "./handlers.ts";
export { secretLocatable } from "./locatable.ts";
export { type IncomingEnvironment, moveSecretsOut } from "./move-secrets-out.ts";
export { revealSecrets } from "./reveal-secrets.ts";
