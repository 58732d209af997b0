import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MasterKeyError } from "./master-key-error.ts";

/** Where master keys may come from, strongest first. */
export interface MasterKeySource {
  /** The key itself: 32 bytes as hex or base64. */
  readonly value: string | undefined;
  /** A file that holds it. */
  readonly file: string | undefined;
  /** Folder where a key file may be made; only for an embedded database that has no fingerprint yet. */
  readonly home: string | undefined;
  /** The key before it, whose place it takes or has taken. */
  readonly previousValue?: string | undefined;
  /** A file that holds that one. */
  readonly previousFile?: string | undefined;
}

/** A master key, and how a person calls the place that it was read from. */
export interface GivenKey {
  readonly master: Buffer;
  readonly from: string;
}

/** The key that shall be the present one, and the one before it where that was given, too. */
export interface GivenKeys {
  readonly key: GivenKey;
  readonly previous: GivenKey | null;
}

const keyFile = "secrets.key";
/** In a home, the key that takes the place of the other at the next start. `npm run rotate-key` makes it. */
const nextFile = `${keyFile}.next`;
/** In a home, a key that was replaced. The digits are the first of its fingerprint. */
const formerFile = (fingerprint: string): string => `${keyFile}.${fingerprint.slice(0, 12)}`;

/** What the database says of its master key, as far as it decides which files count. */
export interface KnownKeys {
  /** Null for a database without a master key. */
  readonly fingerprint: string | null;
  readonly formerFingerprint: string | null;
}

/** Reads the master keys; makes the first one of a home. Throws {@link MasterKeyError}. */
export async function readKeys(source: MasterKeySource, known: KnownKeys): Promise<GivenKeys> {
  const { value, file, home } = source;
  const previous = await readPrevious(source);
  if (value !== undefined) return { key: decoded(value, "SERVICE_SECRETS_KEY"), previous };
  if (file !== undefined) return { key: (await readKeyFile(file)) ?? missing(file), previous };
  if (home === undefined) {
    throw new MasterKeyError(
      "A database of your own needs a master key of your own. Set SERVICE_SECRETS_KEY to 32 random bytes, " +
        "for example the output of: openssl rand -hex 32",
    );
  }
  const inHome = await readHome(home, known);
  return { ...inHome, previous: previous ?? inHome.previous };
}

async function readPrevious({ previousValue, previousFile }: MasterKeySource): Promise<GivenKey | null> {
  if (previousValue !== undefined) return decoded(previousValue, "SERVICE_SECRETS_KEY_PREVIOUS");
  if (previousFile === undefined) return null;
  return (await readKeyFile(previousFile)) ?? missing(previousFile);
}

async function readHome(home: string, known: KnownKeys): Promise<GivenKeys> {
  const file = join(home, keyFile);
  const present = await readKeyFile(file);
  if (present === null) {
    return { key: known.fingerprint === null ? await makeKeyFile(file) : missing(file), previous: null };
  }
  // A database that begins anew begins with the key that is there.
  const next = known.fingerprint === null ? null : await readKeyFile(join(home, nextFile));
  if (next !== null) return { key: next, previous: present };
  const { formerFingerprint } = known;
  if (formerFingerprint === null) return { key: present, previous: null };
  return { key: present, previous: await readKeyFile(join(home, formerFile(formerFingerprint))) };
}

function missing(file: string): never {
  throw new MasterKeyError(
    `The master key file ${file} is missing. Put it back from your backup: nothing else opens this database's secrets.`,
  );
}

async function readKeyFile(file: string): Promise<GivenKey | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new MasterKeyError(`The master key file ${file} cannot be read: ${error.message}`);
  });
  return text === null ? null : decoded(text.trim(), file);
}

function decoded(text: string, from: string): GivenKey {
  const master = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  if (master.length === 32) return { master, from };
  throw new MasterKeyError(`${from} must be 32 bytes, written as 64 hex digits or as base64.`);
}

async function makeKeyFile(file: string): Promise<GivenKey> {
  const master = randomBytes(32);
  await writeFile(file, `${master.toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
  return { master, from: file };
}

/**
 * Puts the files of a home in order once nothing is sealed under the former key any more: the key that was made by
 * `npm run rotate-key` becomes `secrets.key`, and the former one stays under its fingerprint, for old backups. Whenever
 * this is interrupted, every key is still in a file, and the next start goes on.
 */
export async function settleKeyFiles({ value, file, home }: MasterKeySource, former: string): Promise<void> {
  if (value !== undefined || file !== undefined || home === undefined) return;
  const [present, next] = [join(home, keyFile), join(home, nextFile)];
  if ((await readKeyFile(next)) === null) return;
  await link(present, join(home, formerFile(former))).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rename(next, present);
  const folder = await open(home);
  await folder.sync().finally(() => folder.close());
}
