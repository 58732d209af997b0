import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/**
 * The hash of a set of files: SHA-256 of the RFC 8785 form of the list of `[path, SHA-256 of the bytes]`, sorted by path
 * in UTF-16 code units. Pure.
 */
export function contentHashOf(files: ReadonlyMap<string, Buffer>): string {
  const paths = [...files.keys()].sort();
  return sha256(canonicalize(paths.map((path) => [path, sha256(files.get(path) ?? "")])) ?? "");
}

const sha256 = (content: Buffer | string): string => createHash("sha256").update(content).digest("hex");
