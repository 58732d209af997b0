import { createHash, randomInt } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 43 characters of base 62 carry 256 bits. */
const secretLength = 43;
const prefixLength = 8;

/** What a token opens: `svk` an agent's API key, `svr` a runner's, `svi` an invitation. */
export type TokenKind = "svk" | "svr" | "svi";

/** A token as it is made: it is shown once, the rest is stored. */
export interface NewToken {
  readonly token: string;
  readonly prefix: string;
  readonly hash: string;
}

/** Makes the kind + `_` + 8 characters of public prefix + `_` + 256 random bits in base 62. */
export function newToken(kind: TokenKind): NewToken {
  const prefix = randomText(prefixLength);
  const token = `${kind}_${prefix}_${randomText(secretLength)}`;
  return { token, prefix, hash: hashOf(token) };
}

const randomText = (length: number): string => Array.from({ length }, () => alphabet[randomInt(62)]).join("");

/** SHA-256 of a token, hex. The token is random in full, so no slow hash is needed. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The public prefix of a token of this kind, or null where the text is none. */
export function prefixOf(kind: TokenKind, token: string): string | null {
  const [, found, prefix] = /^(sv[kr])_([0-9A-Za-z]{8})_[0-9A-Za-z]{43}$/.exec(token) ?? [];
  return found === kind && prefix !== undefined ? prefix : null;
}
