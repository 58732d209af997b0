export { DatabaseStartError } from "./database-start-error.ts";
export { type EmbeddedDatabase, ensureDatabase } from "./ensure-database.ts";
export type { DatabaseOptions } from "./prepare-site.ts";
