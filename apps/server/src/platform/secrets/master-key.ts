import type postgres from "postgres";
import { type GivenKey, type GivenKeys, type MasterKeySource, readKeys, settleKeyFiles } from "./key-files.ts";
import { type Keys, keysOf } from "./keys.ts";
import { MasterKeyError } from "./master-key-error.ts";

/** What the database says of its master key. */
export interface KeyState {
  /** Null for a database that never had one. */
  readonly fingerprint: string | null;
  readonly version: number;
  /** When the present one took the place of the former one. */
  readonly since: Date | null;
  readonly formerFingerprint: string | null;
  /** Something may still be sealed under the former one. */
  readonly isResealing: boolean;
}

/**
 * Finds the master key and proves that it is this database's: the first server of a new database writes the key's
 * fingerprint, every other start compares. A lost key is never replaced silently. Where the previous key is given with
 * a new one, the new one becomes the database's; `resealSecrets` has to follow. Throws {@link MasterKeyError} with what
 * to do.
 */
export async function openMasterKey(source: MasterKeySource, driver: postgres.Sql): Promise<Keys> {
  const given = await readKeys(source, await readState(driver));
  for (;;) {
    const state = await readState(driver);
    const step = stepOf(state, given);
    if (step === "go on") return keysIn(state, given);
    if (step === "refuse") throw new MasterKeyError(reasonAgainst(state, given));
    // Of several servers one makes this step; then all see the same state and go on, or are refused.
    await (step === "first" ? claimDatabase(driver, given.key) : beginRotation(driver, given));
  }
}

/** To be called once nothing is sealed under the former key: puts a home's key files in order. */
export async function settleMasterKey(source: MasterKeySource, { former }: Keys): Promise<void> {
  if (former !== null) await settleKeyFiles(source, former.fingerprint);
}

/** Whether another server has put another master key in the place of this one. */
export async function isMasterKeyReplaced(driver: postgres.Sql, { fingerprint }: Keys): Promise<boolean> {
  return (await readState(driver)).fingerprint !== fingerprint;
}

/** Why a server that has the replaced key ends. */
export const masterKeyReplaced = (): MasterKeyError =>
  new MasterKeyError("The master key of this database was replaced by another server. Start with the new key.");

async function readState(driver: postgres.Sql): Promise<KeyState> {
  const [row] = await driver<KeyState[]>`
    select master_key_fingerprint as fingerprint, master_key_version as version, master_key_since as since,
      former_key_fingerprint as "formerFingerprint", is_resealing as "isResealing" from instance`;
  if (row === undefined) throw new Error("the database has no row about itself");
  return row;
}

const claimDatabase = (driver: postgres.Sql, key: GivenKey) => driver`
  update instance set master_key_fingerprint = ${fingerprintOf(key)} where master_key_fingerprint is null`;

const beginRotation = (driver: postgres.Sql, { key, previous }: GivenKeys) => driver`
  update instance set master_key_fingerprint = ${fingerprintOf(key)}, master_key_version = master_key_version + 1,
    master_key_since = clock_timestamp(), former_key_fingerprint = master_key_fingerprint, is_resealing = true
  where master_key_fingerprint = ${fingerprintOf(previous)} and not is_resealing`;

const fingerprintOf = (key: GivenKey | null): string | null => (key === null ? null : keysOf(key.master).fingerprint);

function keysIn({ version, since }: KeyState, { key, previous }: GivenKeys): Keys {
  const before = { version: version - 1, since: null, former: null };
  return keysOf(key.master, { version, since, former: previous && keysOf(previous.master, before) });
}

type KeyStep = "first" | "rotate" | "go on" | "refuse";

/** What a server with these keys does on a database in this state. Pure. */
function stepOf(state: KeyState, { key, previous }: GivenKeys): KeyStep {
  const [present, before] = [fingerprintOf(key), fingerprintOf(previous)];
  if (state.fingerprint === null) return before === null ? "first" : "refuse";
  if (state.fingerprint === present) {
    const isWrong = before !== null && before !== state.formerFingerprint;
    return isWrong || (state.isResealing && before === null) ? "refuse" : "go on";
  }
  return state.fingerprint === before && !state.isResealing ? "rotate" : "refuse";
}

/** Why these keys are refused, and which would be right. Pure. */
function reasonAgainst(state: KeyState, { key, previous }: GivenKeys): string {
  const [present, before] = [fingerprintOf(key), fingerprintOf(previous)];
  const { fingerprint, formerFingerprint, isResealing } = state;
  if (fingerprint === null) {
    return `This database has no master key yet, so there is none before it. Start without ${previous?.from}.`;
  }
  if (fingerprint === present) {
    return before === null
      ? "The master key of this database is being replaced, and some secrets are still sealed under the one before. " +
          "Start with that one, too, in SERVICE_SECRETS_KEY_PREVIOUS."
      : `${previous?.from} is not the key that was replaced by the present one. Put that one there, or none.`;
  }
  if (fingerprint === before) {
    return (
      "The last replacement of this database's master key is not finished. " +
      "Start once with the keys that it was begun with; replace the key again after that."
    );
  }
  if (formerFingerprint !== null && present === formerFingerprint) {
    const what = isResealing ? "is being replaced" : "was replaced";
    return (
      `${key.from} holds the master key that ${what} in this database. ` +
      "Start with the new one in its place, and this one in SERVICE_SECRETS_KEY_PREVIOUS."
    );
  }
  if (before !== null) {
    return (
      `Neither ${key.from} nor ${previous?.from} is the master key of this database. ` +
      "To replace the key, give the one it has now as the previous one."
    );
  }
  return (
    "This database was set up with another master key, so its secrets could not be read. " +
    "Start with the SERVICE_SECRETS_KEY (or the secrets.key file) that belongs to it."
  );
}
