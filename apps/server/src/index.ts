export { type AppOptions, createApp } from "./app.ts";
export { claimToken, keepClaimLink } from "./modules/accounts/index.ts";
export { registerRunner } from "./modules/runners/index.ts";
export { systemClock } from "./platform/clock.ts";
export { type Database, migrate, openDatabase } from "./platform/database/index.ts";
export { createLog } from "./platform/log.ts";
export { openMasterKey } from "./platform/secrets/index.ts";
