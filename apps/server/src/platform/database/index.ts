export { bytes, edited, moment, oneOf } from "./columns.ts";
export { type Database, openDatabase, type Reader, type Writer } from "./connection.ts";
export { databaseFault, isAway, isRetryable } from "./faults.ts";
export { MigrationError, migrate } from "./migrate.ts";
export { prepared } from "./prepared.ts";
