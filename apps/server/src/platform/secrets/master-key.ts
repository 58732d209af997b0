import { createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type postgres from "postgres";

/** The service cannot be trusted with this database: no key, an unusable one, or another than the database's. */
export class MasterKeyError extends Error {}

/** Keys for one purpose each, derived from the master key, which itself leaves this object never. */
export interface Keys {
  /** 32 bytes for a purpose; the same label gives the same key on every server. */
  derive(label: string, salt?: string): Buffer;
  /** HMAC-SHA-256 of a text under the key of a label, hex. */
  mac(label: string, text: string): string;
  /** Names the master key without telling anything of it. */
  readonly fingerprint: string;
}

/** Where the master key may come from, strongest first. */
export interface MasterKeySource {
  /** The key itself: 32 bytes as hex or base64. */
  readonly value: string | undefined;
  /** A file that holds it. */
  readonly file: string | undefined;
  /** Folder where a key file may be made; only for an embedded database that has no fingerprint yet. */
  readonly home: string | undefined;
}

/**
 * Finds the master key and proves that it is this database's: the first server of a new database writes the key's
 * fingerprint, every other start compares. A lost key is never replaced silently.
 */
export async function openMasterKey(source: MasterKeySource, driver: postgres.Sql): Promise<Keys> {
  const rows = await driver<
    { fingerprint: string | null }[]
  >`select master_key_fingerprint as fingerprint from instance`;
  const known = rows[0]?.fingerprint ?? null;
  const keys = keysOf(await readMasterKey(source, known === null));
  if (known === null) {
    await driver`update instance set master_key_fingerprint = ${keys.fingerprint} where master_key_fingerprint is null`;
    const [now] = await driver<{ fingerprint: string }[]>`select master_key_fingerprint as fingerprint from instance`;
    return requireSame(keys, now?.fingerprint ?? null);
  }
  return requireSame(keys, known);
}

function requireSame(keys: Keys, known: string | null): Keys {
  if (keys.fingerprint === known) return keys;
  throw new MasterKeyError(
    "This database was set up with another master key, so its secrets could not be read. " +
      "Start with the SERVICE_SECRETS_KEY (or the secrets.key file) that belongs to it.",
  );
}

async function readMasterKey(source: MasterKeySource, mayMake: boolean): Promise<Buffer> {
  if (source.value !== undefined) return decodeKey(source.value, "SERVICE_SECRETS_KEY");
  const file = source.file ?? (source.home === undefined ? undefined : join(source.home, "secrets.key"));
  if (file === undefined) {
    throw new MasterKeyError(
      "A database of your own needs a master key of your own. Set SERVICE_SECRETS_KEY to 32 random bytes, " +
        "for example the output of: openssl rand -hex 32",
    );
  }
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new MasterKeyError(`The master key file ${file} cannot be read: ${error.message}`);
  });
  if (text !== null) return decodeKey(text.trim(), file);
  if (!mayMake || source.file !== undefined) {
    throw new MasterKeyError(
      `The master key file ${file} is missing. Put it back from your backup: nothing else opens this database's secrets.`,
    );
  }
  const made = randomBytes(32);
  await writeFile(file, `${made.toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
  return made;
}

function decodeKey(text: string, where: string): Buffer {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  if (bytes.length !== 32)
    throw new MasterKeyError(`${where} must be 32 bytes, written as 64 hex digits or as base64.`);
  return bytes;
}

/** Keys derived from a master key by HKDF-SHA-256, one label each. */
export function keysOf(master: Buffer): Keys {
  const made = (label: string, salt: string): Buffer => Buffer.from(hkdfSync("sha256", master, salt, label, 32));
  // Those without a salt are few and asked for at every request.
  const kept = new Map<string, Buffer>();
  const derive = (label: string, salt?: string): Buffer => {
    if (salt !== undefined) return made(label, salt);
    const key = kept.get(label) ?? made(label, "");
    kept.set(label, key);
    return key;
  };
  return {
    derive,
    mac: (label, text) => createHmac("sha256", derive(label)).update(text).digest("hex"),
    fingerprint: createHash("sha256").update(derive("fingerprint")).digest("hex").slice(0, 32),
  };
}
