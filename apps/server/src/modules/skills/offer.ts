import type { skillSourceTypes } from "@roster/contract";

/** What is offered for import, from wherever: everything that comes after is the same for all sources. */
export interface Offer {
  /** The field of the request that named it; refusals begin their paths with it. */
  readonly field: "files" | "source";
  readonly type: (typeof skillSourceTypes)[number];
  /** The folder in which paths begin; null where there is none. */
  readonly folder: string | null;
  /** Contents by path. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Files seen and not read, because they belong to no skill. */
  readonly strays: readonly string[];
  readonly warnings: readonly string[];
}

/** What texts in a request offer. */
export function offeredTexts(texts: Readonly<Record<string, string>>): Offer {
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text, "utf8")]));
  return { field: "files", type: "files", folder: null, files, strays: [], warnings: [] };
}
