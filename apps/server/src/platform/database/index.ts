export { bytes, edited, moment, oneOf } from "./columns.ts";
export { type Database, openDatabase, type Reader, type Writer } from "./connection.ts";
export { createConnectionSet, type SetUse } from "./connection-set.ts";
export { databaseFault, isAway, isBusy, isRetryable } from "./faults.ts";
export { MigrationError, migrate } from "./migrate.ts";
export { prepared } from "./prepared.ts";
