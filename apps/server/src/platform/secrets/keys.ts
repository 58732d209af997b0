import { createHash, createHmac, hkdfSync } from "node:crypto";

/** Keys for one purpose each, derived from the master key, which itself leaves this object never. */
export interface Keys {
  /** 32 bytes for a purpose; the same label gives the same key on every server. */
  derive(label: string, salt?: string): Buffer;
  /** HMAC-SHA-256 of a text under the key of a label, hex. */
  mac(label: string, text: string): string;
  /** Names the master key without telling anything of it. */
  readonly fingerprint: string;
  /** Counts the master keys of a database from 1. What is sealed or signed says by which of them. */
  readonly version: number;
  /** When the present master key took the place of the former one; null for the first. */
  readonly since: Date | null;
  /** The keys of the version before, where this server was given its master key. Nothing new is sealed under them. */
  readonly former: Keys | null;
}

/** Which of a database's master keys one is. */
export type KeyPlace = Pick<Keys, "version" | "since" | "former">;

const first: KeyPlace = { version: 1, since: null, former: null };

/** Keys derived from a master key by HKDF-SHA-256, one label each. */
export function keysOf(master: Buffer, place: KeyPlace = first): Keys {
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
    ...place,
    derive,
    mac: (label, text) => createHmac("sha256", derive(label)).update(text).digest("hex"),
    fingerprint: createHash("sha256").update(derive("fingerprint")).digest("hex").slice(0, 32),
  };
}

/** The keys of a version; null where this server has them no more, or not yet. */
export function keysOfVersion(keys: Keys, version: number): Keys | null {
  if (version === keys.version) return keys;
  return version === keys.former?.version ? keys.former : null;
}

/** The keys that were the present ones at this moment, as far as this server has them; else the present ones. */
export function keysAt(keys: Keys, moment: Date): Keys {
  const isBefore = keys.since !== null && moment < keys.since;
  return isBefore && keys.former !== null ? keys.former : keys;
}
