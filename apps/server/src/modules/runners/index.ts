export { runnerAuthentication } from "./authenticate-runner.ts";
export { runnerLifecycle } from "./lifecycle.ts";
export { ensureLocalRunner } from "./local-runner.ts";
export { runnerLocatable } from "./locatable.ts";
export { keepPrograms, listPrograms } from "./program-store.ts";
export { addRunner, registerRunner } from "./register-runner.ts";
export { runnerGauges } from "./runner-metrics.ts";
export { isRunnerThere, noteSighting } from "./store.ts";
export { runnerSightings, runners } from "./table.ts";
