export { authenticateRunner } from "./authenticate-runner.ts";
export { ensureLocalRunner } from "./local-runner.ts";
export { registerRunner } from "./register-runner.ts";
export { isRunnerThere, noteSighting } from "./store.ts";
export { runners } from "./table.ts";
