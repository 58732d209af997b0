import { basename, join } from "node:path";
import type { skillSourceTypes } from "@roster/contract";

/** What is offered for import, from wherever: everything that comes after is the same for all sources. */
export interface Offer {
  /** The field of the request that named it; refusals begin their paths with it. */
  readonly field: "files" | "source";
  readonly type: (typeof skillSourceTypes)[number];
  /** What the keys of its skills begin with. */
  readonly keyPrefix: string;
  /** What a skill at the top is called, if its name gives no slug. */
  readonly folder: string;
  /** Where a folder of it is; null for what came with the request. */
  readonly locate: (folder: string) => string | null;
  /** What exactly was taken, where that can be asked for again. */
  readonly ref: string | null;
  /** Contents by path. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Files whose content could not be taken, and why: the skill they belong to is unfit. */
  readonly faults: ReadonlyMap<string, string>;
  /** Files seen and not read, because they belong to no skill. */
  readonly strays: readonly string[];
  readonly warnings: readonly string[];
}

const local = { keyPrefix: "local", ref: null, faults: new Map<string, string>() };

/** What texts in a request offer. */
export function offeredTexts(texts: Readonly<Record<string, string>>): Offer {
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text, "utf8")]));
  return { ...local, field: "files", type: "files", folder: "", locate: () => null, files, strays: [], warnings: [] };
}

/** What a folder of this machine offers. */
export function offeredFolder(root: string, read: Pick<Offer, "files" | "strays" | "warnings">): Offer {
  const locate = (folder: string): string => join(root, folder);
  return { ...local, ...read, field: "source", type: "folder", folder: basename(root), locate };
}

/** Whether others made what is offered: one bad skill of theirs is left out, and does not keep out the others. */
export const isForeign = ({ type }: Offer): boolean => type === "git" || type === "url";
