import { constants, type Dirent } from "node:fs";
import { type FileHandle, open, opendir, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { env, mostSkillBytes, skillEntryFile } from "@roster/contract";
import { Refusal } from "../../platform/refusal.ts";
import type { Caller } from "../../platform/scope.ts";
import { type Offer, offeredFolder } from "./offer.ts";
import { unfit } from "./unfit.ts";

const mostEntries = 10_000;
const mostBytes = 64 * 1_048_576;
/** Bookkeeping of other programs; no skill consists of it. */
const leftOut = new Set([".git", "node_modules"]);

interface Walk {
  readonly root: string;
  readonly files: Map<string, Buffer>;
  readonly strays: string[];
  readonly warnings: string[];
  entries: number;
  bytes: number;
}

/** Which folders of this machine the board may read. */
export interface FolderNeeds {
  /** Any: in local trusted mode, where the machine is trusted as the board. */
  readonly readsFolders: boolean;
  /** These and what is below them, in any mode. */
  readonly skillRoots: readonly string[];
}

/** Refuses anyone but the board, and a folder that the operator has not opened: folders belong to the machine. */
export async function requireMayReadFolder(caller: Caller, source: string, needs: FolderNeeds): Promise<void> {
  if (caller.kind === "board" && (needs.readsFolders || (await isBelow(source, needs.skillRoots)))) return;
  throw new Refusal(
    "forbidden",
    `Only the board imports from a folder, in local trusted mode or below one of ${env("SKILL_ROOTS")}; send files instead.`,
  );
}

/** Where links have been followed; what is not there is below nothing. */
async function isBelow(source: string, roots: readonly string[]): Promise<boolean> {
  const nowhere = (): null => null;
  const place = await realpath(source).catch(nowhere);
  const places = await Promise.all(roots.map((root) => realpath(root).catch(nowhere)));
  return place !== null && places.some((root) => root !== null && !leadsOut(relative(root, place)));
}

const leadsOut = (way: string): boolean => way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);

/**
 * What a folder of this machine offers. Only reads, only files in or below a folder with a SKILL.md, and nothing that a
 * link would fetch from outside the folder. Refuses a folder that is not there or too large to look through.
 */
export async function readFolder(source: string): Promise<Offer> {
  try {
    const root = await realpath(source);
    const walk: Walk = { root, files: new Map(), strays: [], warnings: [], entries: 0, bytes: 0 };
    await visit(walk, "", false);
    return offeredFolder(root, walk);
  } catch (error) {
    if (!isFileFault(error)) throw error;
    const message = `cannot be read (${error.code})`;
    throw new Refusal("unknown_reference", `The folder ${source} ${message}.`, {
      details: [{ path: "source", message }],
    });
  }
}

const isFileFault = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";

async function visit(walk: Walk, folder: string, insideSkill: boolean): Promise<void> {
  const entries = await entriesOf(walk, folder);
  const inside = insideSkill || entries.some((entry) => entry.name === skillEntryFile && !entry.isDirectory());
  for (const entry of entries) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!leftOut.has(entry.name)) await visit(walk, path, inside);
      else if (inside) walk.warnings.push(`${path} was left out.`);
    } else if (inside) await take(walk, path);
    else walk.strays.push(path);
  }
}

async function entriesOf(walk: Walk, folder: string): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(join(walk.root, folder))) {
    walk.entries += 1;
    if (walk.entries > mostEntries) {
      throw unfit("source", `holds more than ${mostEntries} files and folders; name one nearer to the skills`);
    }
    entries.push(entry);
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function take(walk: Walk, path: string): Promise<void> {
  const at = `source.${path}`;
  const place = await realpath(join(walk.root, path));
  if (leadsOut(relative(walk.root, place))) throw unfit(at, "is a link that leads out of the folder");
  // Where links have been followed already, and without waiting for the other end of a pipe.
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const content = await contentOf(file, at);
    walk.bytes += content.length;
    if (walk.bytes > mostBytes) throw unfit("source", `holds more than ${mostBytes} bytes; name one skill of it`);
    walk.files.set(path, content);
  } finally {
    await file.close();
  }
}

/** Reads exactly as many bytes as the file says it has: some files of a system say none and never end. */
async function contentOf(file: FileHandle, at: string): Promise<Buffer> {
  const stat = await file.stat();
  if (!stat.isFile()) throw unfit(at, "is neither a file nor a link to one");
  if (stat.size > mostSkillBytes) {
    throw unfit(at, `has ${stat.size} bytes; a skill has at most ${mostSkillBytes} (5 MiB)`);
  }
  const { bytesRead, buffer } = await file.read(Buffer.alloc(stat.size), 0, stat.size, 0);
  if (bytesRead !== stat.size) throw unfit(at, "changed while it was read; import again");
  return buffer;
}
