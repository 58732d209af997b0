export { findSecretShape, looksSecret, REDACTED } from "./detect.ts";
export type { Json, JsonObject } from "./json.ts";
export { type Keys, keysOf, MasterKeyError, openMasterKey } from "./master-key.ts";
export { restorePlaceholders } from "./placeholders.ts";
export { redact, redactText } from "./redact.ts";
export { seal, unseal } from "./seal.ts";
export { secretShapes } from "./shapes.ts";
