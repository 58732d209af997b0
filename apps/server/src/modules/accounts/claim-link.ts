import { randomBytes, timingSafeEqual } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database, Reader } from "../../platform/database/index.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { findClaimSalt, keepClaimSalt } from "./store.ts";

/**
 * The token with which the first operator comes in; null once somebody did. It is derived from the master key and a
 * random salt, so that every server prints the same one and the database alone does not open the deployment.
 */
export async function claimToken(database: Database, keys: Keys): Promise<string | null> {
  await keepClaimSalt(database, randomBytes(16).toString("hex"));
  const salt = await findClaimSalt(database.reader);
  return salt === null ? null : tokenOf(keys, salt);
}

/** The salt that this token was made from, while it may still be spent; else null. */
export async function claimSaltOf(db: Reader, keys: Keys, token: string): Promise<string | null> {
  const salt = await findClaimSalt(db);
  if (salt === null) return null;
  const [good, given] = [Buffer.from(tokenOf(keys, salt)), Buffer.from(token)];
  return good.length === given.length && timingSafeEqual(good, given) ? salt : null;
}

/** Keeps the link in a file of the home that only its user reads, for the start to print; null removes it. */
export async function keepClaimLink(home: string, link: string | null): Promise<void> {
  const file = join(home, "claim.link");
  if (link === null) return rm(file, { force: true });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${link}\n`, { mode: 0o600 });
  await rename(temporary, file);
}

const tokenOf = (keys: Keys, salt: string): string => `svc_${keys.mac("claim", salt)}`;
