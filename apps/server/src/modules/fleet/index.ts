export { endStoppedRuns } from "./end-stopped-runs.ts";
export { fleetHandlers, instanceHandlers } from "./handlers.ts";
