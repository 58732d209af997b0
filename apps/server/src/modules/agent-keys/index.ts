export { authenticateKey } from "./authenticate-key.ts";
export { agentKeyHandlers } from "./handlers.ts";
export { agentKeyLocatable } from "./locatable.ts";
