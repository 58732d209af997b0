/** The service cannot be trusted with this database: no key, an unusable one, or another than the database's. */
export class MasterKeyError extends Error {}
