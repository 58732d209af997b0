import { isUtf8 } from "node:buffer";
import { basename } from "node:path";
import { setImmediate } from "node:timers/promises";
import { mostSkillFiles, mostSkillsAtOnce, type SkillFile, skillEntryFile } from "@roster/contract";
import { secretInText } from "../../platform/http/index.ts";
import { Refusal } from "../../platform/refusal.ts";
import { findSecretShape } from "../../platform/secrets/index.ts";
import { contentHashOf } from "./content-hash.ts";
import { fileKind } from "./file-kind.ts";
import { readFrontMatter } from "./front-matter.ts";
import { isForeign, type Offer } from "./offer.ts";
import { requireLimits, requirePath, type SkillFolder, skillFolders } from "./skill-folders.ts";
import { slugOf } from "./slug.ts";
import { unfit } from "./unfit.ts";

const mostFiles = mostSkillsAtOnce * mostSkillFiles;

/** A skill as an import would store it. */
export interface Proposal {
  readonly key: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly sourceType: Offer["type"];
  readonly sourceLocator: string | null;
  readonly sourceRef: string | null;
  readonly contentHash: string;
  readonly files: SkillFile[];
  /** Contents by path. */
  readonly contents: ReadonlyMap<string, Buffer>;
}

/** What an offer comes to. */
export interface Proposed {
  readonly proposals: readonly Proposal[];
  readonly strays: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The skills in an offer, and the files that belong to none. Refuses the offer as soon as one thing is wrong; of what
 * others made, a skill that is wrong is left out with a warning, and the offer is refused when no other is left. An offer
 * may be large, so others are served between two skills.
 */
export async function proposalsOf(offer: Offer): Promise<Proposed> {
  if (offer.files.size > mostFiles) {
    throw unfit(offer.field, `has ${offer.files.size} files; an import takes at most ${mostFiles}`);
  }
  if (!isForeign(offer)) for (const path of offer.files.keys()) requirePath(path, placeOf(offer, path));
  const { skills, strays } = skillFolders(offer.files);
  if (skills.length === 0) throw withoutSkill(offer, strays);
  if (skills.length > mostSkillsAtOnce) {
    throw unfit(offer.field, `has ${skills.length} skills; an import takes at most ${mostSkillsAtOnce}`);
  }
  const places = new Map<string, string>();
  const proposals: Proposal[] = [];
  const refused: Refusal[] = [];
  for (const found of skills) {
    await setImmediate();
    const result = tried(offer, found, places);
    if (result instanceof Refusal) refused.push(result);
    else proposals.push(result);
  }
  if (proposals.length === 0 && refused[0] !== undefined) throw refused[0];
  const warnings = [...offer.warnings, ...refused.map(({ message }) => `A skill was left out: ${message}`)];
  return { proposals, strays: [...offer.strays, ...strays], warnings };
}

/** The proposal of a folder, or why there is none where that keeps out nothing else. */
function tried(offer: Offer, found: SkillFolder, places: Map<string, string>): Proposal | Refusal {
  try {
    const proposal = proposalOf(offer, found);
    const at = placeOf(offer, pathIn(found, skillEntryFile));
    const same = places.get(proposal.key);
    if (same !== undefined) throw unfit(at, `would have the same key as ${same} (${proposal.key}); name them apart`);
    places.set(proposal.key, at);
    return proposal;
  } catch (error) {
    if (error instanceof Refusal && isForeign(offer)) return error;
    throw error;
  }
}

const placeOf = ({ field }: Offer, path: string): string => (path === "" ? field : `${field}.${path}`);
const pathIn = ({ folder }: SkillFolder, path: string): string => (folder === "" ? path : `${folder}/${path}`);

function withoutSkill(offer: Offer, strays: readonly string[]): Error {
  const misspelt = [...offer.strays, ...strays].find((path) => basename(path).toLowerCase() === "skill.md");
  const hint = misspelt === undefined ? "" : ` (${misspelt} must be spelt ${skillEntryFile})`;
  return unfit(offer.field, `holds no ${skillEntryFile}, which makes a folder a skill${hint}`);
}

function proposalOf(offer: Offer, found: SkillFolder): Proposal {
  requireWhole(offer, found);
  requireLimits(found, placeOf(offer, found.folder));
  const at = placeOf(offer, pathIn(found, skillEntryFile));
  const entry = found.files.get(skillEntryFile);
  if (entry === undefined || !isUtf8(entry)) throw unfit(at, "is not UTF-8 text");
  const { name, description } = readFrontMatter(entry.toString("utf8"), at);
  // Decoded, because YAML can write any character as an escape.
  for (const text of [name, description]) requireNoSecret(text, at);
  // Texts of a request were looked at when it came in.
  if (offer.field === "source") requireNoSecrets(offer, found);
  const slug = slugOf(name, basename(found.folder === "" ? offer.folder : found.folder));
  return {
    key: `${offer.keyPrefix}/${slug}`,
    slug,
    name,
    description,
    sourceType: offer.type,
    sourceLocator: offer.locate(found.folder),
    sourceRef: offer.ref,
    contentHash: contentHashOf(found.files),
    files: Array.from(found.files, ([path, content]) => ({ path, kind: fileKind(path), bytes: content.length })),
    contents: found.files,
  };
}

/** Refuses a skill of which a file could not be taken, or stand below any folder of any machine. */
function requireWhole(offer: Offer, found: SkillFolder): void {
  for (const inner of found.files.keys()) {
    const path = pathIn(found, inner);
    const fault = offer.faults.get(path);
    if (fault !== undefined) throw unfit(placeOf(offer, path), fault);
    requirePath(path, placeOf(offer, path));
  }
}

function requireNoSecrets(offer: Offer, found: SkillFolder): void {
  for (const [path, content] of found.files) {
    const at = placeOf(offer, pathIn(found, path));
    requireNoSecret(path, at);
    if (isUtf8(content)) requireNoSecret(content.toString("utf8"), at);
  }
}

function requireNoSecret(text: string, at: string): void {
  const secret = findSecretShape(text);
  if (secret !== null) throw secretInText(at, secret.shape);
}
