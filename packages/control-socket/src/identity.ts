/** What a process says about itself to everyone who asks at its control socket. */
export interface Identity {
  /** What it is: `launcher`, `server`, `runner`. */
  readonly name: string;
  readonly pid: number;
  /** Hash of the sources it was built from. */
  readonly build: string;
  /** Fingerprint of the settings it was started with. */
  readonly settings: string;
  /** Where people and programs reach it, if it is reached over HTTP. */
  readonly url?: string;
  /** Further facts; anything that JSON can say. */
  readonly [fact: string]: unknown;
}

export function identityLine(identity: Identity): string {
  return `${JSON.stringify(identity)}\n`;
}

/** Null when the line was not written by `identityLine`. */
export function parseIdentity(line: string): Identity | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  return isIdentity(value) ? value : null;
}

function isIdentity(value: unknown): value is Identity {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  const texts = [fields["name"], fields["build"], fields["settings"]];
  const url = fields["url"];
  return (
    texts.every((text) => typeof text === "string") &&
    Number.isSafeInteger(fields["pid"]) &&
    (url === undefined || typeof url === "string")
  );
}
