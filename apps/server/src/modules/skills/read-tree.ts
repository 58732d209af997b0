import { dirname, join, normalize } from "node:path/posix";
import { mostSkillBytes, skillEntryFile } from "@roster/contract";
import { GitFault, type GitPlace, git } from "./git.ts";
import type { Offer } from "./offer.ts";
import { sourceMissing, sourceUnusable } from "./refused-source.ts";

const mostListingBytes = 32 * 1_048_576;
const mostFiles = 10_000;
const mostBytes = 64 * 1_048_576;
const mostHops = 8;
const longestLink = 4096;

interface Entry {
  readonly mode: string;
  readonly object: string;
  readonly path: string;
}

const link = "120000";
const repository = "160000";

/**
 * The files of a tree that are in or below a folder with a SKILL.md. Links are read as the files of the same tree that
 * they lead to. Nothing is written anywhere: whatever a file is called, it is only looked at. What one file has that
 * cannot be taken is a fault of that file.
 */
export async function readTree(
  place: GitPlace,
  tree: string,
): Promise<Pick<Offer, "files" | "faults" | "strays" | "warnings">> {
  const entries = await listTree(place, tree);
  const inside = insideSkills(entries);
  const needed = entries.filter((entry) => inside(entry.path) && entry.mode !== repository);
  if (needed.length > mostFiles) throw sourceUnusable(`has more than ${mostFiles} files in skills; name one of them`);
  const faults = new Map<string, string>();
  const meant = await followLinks(place, { entries, needed }, faults);
  const contents = await readObjects(
    place,
    Array.from(meant, ([, object]) => object),
  );
  const files = new Map<string, Buffer>();
  let bytes = 0;
  for (const { path } of needed) {
    const content = contents.get(meant.get(path) ?? "");
    // What is unfit has its place among the files, so that its skill is found and refused.
    files.set(path, content ?? Buffer.alloc(0));
    if (content === undefined && !faults.has(path)) {
      faults.set(path, `has more bytes than a skill may have (${mostSkillBytes}, 5 MiB)`);
    }
    if (path.includes("\uFFFD")) faults.set(path, "has a name that is not UTF-8");
    bytes += content?.length ?? 0;
    if (bytes > mostBytes) throw sourceUnusable(`has more than ${mostBytes} bytes in skills; name one of them`);
  }
  const strays = entries.filter(({ path, mode }) => !inside(path) && mode !== repository).map(({ path }) => path);
  const others = entries.filter(({ path, mode }) => inside(path) && mode === repository);
  return { files, faults, strays, warnings: others.map(({ path }) => `${path}, another repository, was left out.`) };
}

async function listTree(place: GitPlace, tree: string): Promise<Entry[]> {
  const listing = await git(place, {
    args: ["ls-tree", "-r", "-z", "--full-tree", tree],
    mostBytes: mostListingBytes,
  }).catch((error: unknown) => {
    throw error instanceof GitFault ? sourceMissing("has no folder of this path at this ref") : error;
  });
  const lines = listing.toString("utf8").split("\0").slice(0, -1);
  return lines.map((line) => {
    const [, mode = "", object = "", path = ""] = /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]*)$/.exec(line) ?? [];
    return { mode, object, path };
  });
}

/** Whether a path is in or below a folder with a SKILL.md. Pure. */
function insideSkills(entries: readonly Entry[]): (path: string) => boolean {
  const folders = new Set<string>();
  for (const { path, mode } of entries) {
    if (`/${path}`.endsWith(`/${skillEntryFile}`) && mode !== repository) folders.add(dirname(path));
  }
  return (path) => {
    if (folders.has(".")) return true;
    for (let at = dirname(path); at !== "."; at = dirname(at)) if (folders.has(at)) return true;
    return false;
  };
}

/** The object that each needed file means: its own, or that of the file its link leads to. */
async function followLinks(
  place: GitPlace,
  { entries, needed }: { readonly entries: readonly Entry[]; readonly needed: readonly Entry[] },
  faults: Map<string, string>,
): Promise<Map<string, string>> {
  const all = new Map(entries.map((entry) => [entry.path, entry]));
  const links = entries.filter(({ mode }) => mode === link).map(({ object }) => object);
  const targets = await readObjects(place, links, longestLink);
  const meant = new Map<string, string>();
  for (const entry of needed) {
    const end = endOf(entry, all, targets);
    if (typeof end === "string") faults.set(entry.path, end);
    else meant.set(entry.path, end.object);
  }
  return meant;
}

/** The file that an entry is or leads to, or what is wrong with it. Pure. */
function endOf(entry: Entry, all: ReadonlyMap<string, Entry>, targets: ReadonlyMap<string, Buffer>): Entry | string {
  let at = entry;
  for (let hops = 0; at.mode === link; hops += 1) {
    const target = targets.get(at.object)?.toString("utf8");
    if (target === undefined || hops === mostHops) return "is a link that leads nowhere";
    const path = normalize(join(dirname(at.path), target));
    if (target.startsWith("/") || path === ".." || path.startsWith("../"))
      return "is a link that leads out of the folder";
    const next = all.get(path);
    if (next === undefined) return "is a link that does not lead to a file of the folder";
    at = next;
  }
  return at.mode === repository ? "is a link that does not lead to a file of the folder" : at;
}

/** Contents by object. What was not fetched, or has more than `most` bytes, is not among them. */
async function readObjects(
  place: GitPlace,
  objects: readonly string[],
  most = mostSkillBytes,
): Promise<Map<string, Buffer>> {
  const asked = [...new Set(objects)];
  if (asked.length === 0) return new Map();
  const input = (names: readonly string[]): string => names.map((name) => `${name}\n`).join("");
  const checked = await git(place, {
    args: ["cat-file", "--batch-check"],
    input: input(asked),
    mostBytes: mostListingBytes,
  });
  const sizes = found(checked.toString("ascii").split("\n")).filter(({ size }) => size <= most);
  const whole = sizes.reduce((sum, { size }) => sum + size, 0);
  if (whole > mostBytes) throw sourceUnusable(`has more than ${mostBytes} bytes in skills; name one of them`);
  const names = sizes.map(({ object }) => object);
  const room = whole + names.length * 100;
  const batch = await git(place, { args: ["cat-file", "--batch"], input: input(names), mostBytes: room });
  const contents = new Map<string, Buffer>();
  let from = 0;
  for (const { object, size } of sizes) {
    const begin = batch.indexOf(0x0a, from) + 1;
    contents.set(object, batch.subarray(begin, begin + size));
    from = begin + size + 1;
  }
  return contents;
}

const found = (lines: readonly string[]): { object: string; size: number }[] =>
  lines.flatMap((line) => {
    const [, object, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
    return object === undefined ? [] : [{ object, size: Number(size) }];
  });
