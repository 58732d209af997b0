import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** SHA-256, hex, of the canonical form (RFC 8785) of a JSON value: equal values give equal digests. */
export function digestOf(value: unknown): string {
  return createHash("sha256")
    .update(canonicalize(value) ?? "")
    .digest("hex");
}
