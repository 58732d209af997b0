import { createHash, randomInt } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 43 characters of base 62 carry 256 bits. */
const secretLength = 43;
const prefixLength = 8;

/** An agent key as it is made: the token is shown once, the rest is stored. */
export interface NewToken {
  readonly token: string;
  readonly prefix: string;
  readonly hash: string;
}

/** Makes `svk_` + 8 characters of public prefix + `_` + 256 random bits in base 62. */
export function newToken(): NewToken {
  const prefix = randomText(prefixLength);
  const token = `svk_${prefix}_${randomText(secretLength)}`;
  return { token, prefix, hash: hashOf(token) };
}

const randomText = (length: number): string => Array.from({ length }, () => alphabet[randomInt(62)]).join("");

/** SHA-256 of a token, hex. The token is random in full, so no slow hash is needed. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The public prefix of a token, or null where the text is none. */
export const prefixOf = (token: string): string | null =>
  /^svk_([0-9A-Za-z]{8})_[0-9A-Za-z]{43}$/.exec(token)?.[1] ?? null;
