import { createHash } from "node:crypto";

/** Characters that look random and are the same each time, from an alphabet. */
export function drawn(alphabet: string, length: number, seed: string): string {
  let bytes = Buffer.alloc(0);
  for (let block = 0; bytes.length < length; block += 1) {
    bytes = Buffer.concat([bytes, createHash("sha512").update(`${seed} ${block}`).digest()]);
  }
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join("");
}

/** The digits. */
export const digits = "0123456789";
/** The small letters. */
export const small = "abcdefghijklmnopqrstuvwxyz";
const capitals = small.toUpperCase();
/** Letters and digits. */
export const alnum = (length: number, seed = "a"): string => drawn(digits + capitals + small, length, seed);
/** Capitals and digits. */
export const upper = (length: number, seed = "a"): string => drawn(digits + capitals, length, seed);
/** Digits of hex. */
export const hex = (length: number, seed = "a"): string => drawn("0123456789abcdef", length, seed);
/** Characters of base64. */
export const base64 = (length: number, seed = "a"): string => drawn(`${digits}${capitals}${small}+/`, length, seed);
/** A number. */
export const number = (length: number): string => drawn("123456789", length, "n");
