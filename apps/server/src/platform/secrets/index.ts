export { findSecretShape, looksSecret, REDACTED } from "./detect.ts";
export type { Json, JsonObject } from "./json.ts";
export { type Keys, keysAt, keysOf, keysOfVersion } from "./keys.ts";
export { isMasterKeyReplaced, masterKeyReplaced, openMasterKey, settleMasterKey } from "./master-key.ts";
export { MasterKeyError } from "./master-key-error.ts";
export { restorePlaceholders } from "./placeholders.ts";
export { hideShapes, redact, redactText } from "./redact.ts";
export { seal, unseal } from "./seal.ts";
export { secretShapes } from "./shapes.ts";
