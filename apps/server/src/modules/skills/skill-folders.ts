import { isInnerPath, mostSkillBytes, mostSkillFiles, skillEntryFile, utf8Bytes } from "@roster/contract";
import { unfit } from "./unfit.ts";

const longestPath = 500;
/** File systems take no longer name. */
const longestPart = 255;

/** The files of one skill, by their path inside it. */
export interface SkillFolder {
  /** Its path in what was offered; empty for the top. */
  readonly folder: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Sorts files into skills: each belongs to the nearest folder above it that holds a SKILL.md, and to none where there is
 * no such folder. Skills and files come in the order of their paths. Pure.
 */
export function skillFolders(files: ReadonlyMap<string, Buffer>): { skills: SkillFolder[]; strays: string[] } {
  const roots = new Map<string, Map<string, Buffer>>();
  const paths = [...files.keys()].sort();
  for (const path of paths) {
    if (`/${path}`.endsWith(`/${skillEntryFile}`)) roots.set(folderOf(path), new Map());
  }
  const strays: string[] = [];
  for (const path of paths) {
    const folder = nearest(folderOf(path), roots);
    const inner = folder === "" || folder === null ? path : path.slice(folder.length + 1);
    if (folder === null) strays.push(path);
    else roots.get(folder)?.set(inner, files.get(path) ?? Buffer.alloc(0));
  }
  return { skills: Array.from(roots, ([folder, inside]) => ({ folder, files: inside })), strays };
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

function nearest(folder: string, roots: ReadonlyMap<string, unknown>): string | null {
  for (let at = folder; at !== ""; at = folderOf(at)) if (roots.has(at)) return at;
  return roots.has("") ? "" : null;
}

/** Refuses, with the place `at`, a path that could not be written below any folder of any machine. Pure. */
export function requirePath(path: string, at: string): void {
  if (!isInnerPath(path)) throw unfit(at, "must be relative, with / between parts and without . or .. parts");
  if (/\p{Cc}/u.test(path)) throw unfit(at, "has a control character in its name");
  if (path.length > longestPath || path.split("/").some((part) => utf8Bytes(part) > longestPart)) {
    throw unfit(at, `has too long a name: at most ${longestPath} characters, and ${longestPart} bytes between two /`);
  }
}

/** Refuses a skill that is too large, or whose files could not stand side by side on every machine. Pure. */
export function requireLimits({ files }: SkillFolder, at: string): void {
  if (files.size > mostSkillFiles) throw unfit(at, `has ${files.size} files; a skill has at most ${mostSkillFiles}`);
  const size = [...files.values()].reduce((sum, content) => sum + content.length, 0);
  if (size > mostSkillBytes) throw unfit(at, `has ${size} bytes; a skill has at most ${mostSkillBytes} (5 MiB)`);
  const names = new Map<string, string>();
  for (const path of files.keys()) {
    const same = names.get(folded(path));
    if (same !== undefined) throw unfit(at, `has ${same} and ${path}, which are one file on some machines`);
    names.set(folded(path), path);
  }
  for (const path of files.keys()) {
    const parts = folded(path).split("/");
    const above = parts
      .map((_, index) => names.get(parts.slice(0, index).join("/")))
      .find((name) => name !== undefined);
    if (above !== undefined) throw unfit(at, `has ${above} as a file and, for ${path}, as a folder`);
  }
}

const folded = (path: string): string => path.normalize("NFC").toLowerCase();
