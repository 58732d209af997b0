const versions = new WeakMap<object, number>();
const etag = /^(?:W\/)?"(\d+)"$/;

/** Remembers the ETag that an answer came with. */
export function keepVersion(answered: unknown, { headers }: Response): void {
  const version = etag.exec(headers.get("etag") ?? "")?.[1];
  if (version !== undefined && typeof answered === "object" && answered !== null)
    versions.set(answered, Number(version));
}

/**
 * The version of a resource as it was answered, to be sent as `ifMatch` with a change of it. Throws for what no call
 * answered with an ETag, items of lists and copies among it: a change would pass unchecked.
 */
export function versionOf(answered: object): number {
  const version = versions.get(answered);
  if (version !== undefined) return version;
  throw new TypeError("this has no version: give the very object that a call answered, of a resource with an ETag");
}
