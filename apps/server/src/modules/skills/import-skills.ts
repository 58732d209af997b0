import type { Body, contract } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Caller, Scope } from "../../platform/scope.ts";
import { lockCompany } from "../companies/index.ts";
import { type FetchNeeds, fetchSource } from "./fetch-source.ts";
import { isForeign, type Offer, offeredTexts } from "./offer.ts";
import { parseSource } from "./parse-source.ts";
import { type Proposal, type Proposed, proposalsOf } from "./proposals.ts";
import { type FolderNeeds, readFolder, requireMayReadFolder } from "./read-folder.ts";
import { unusable } from "./refused-source.ts";
import { findSkillsByKey, insertSkill, insertVersion, type SkillRow, updateSkill } from "./store.ts";

type Wish = Body<typeof contract.skills.import>;

/** What imports need of the process: what they may read, and the way out. */
export interface ImportNeeds extends FetchNeeds, FolderNeeds {}

const mostNamed = 5;

/** What an import did. */
export interface Imported {
  readonly skills: SkillRow[];
  readonly warnings: string[];
}

/** Finds what an import is to take, wherever it is. Writes nothing. Gives up when `gone` aborts. */
export async function findSkills(
  { caller }: Scope,
  wish: Wish,
  needs: ImportNeeds,
  gone: AbortSignal,
): Promise<Proposed> {
  requireMayImport(caller);
  const offer = await offerOf(caller, wish, needs, gone);
  return await proposalsOf(offer).catch((error: unknown) => {
    // Nobody who asks for an import is to blame for what others made.
    if (!(error instanceof Refusal) || error.code !== "invalid_request" || !isForeign(offer)) throw error;
    throw unusable(error);
  });
}

/**
 * Takes skills into the company. What the company has already stays untouched; other content under a known key becomes
 * a new version of that skill, and the versions before it are kept. All of it is taken or nothing.
 */
export async function importSkills(change: Change, proposed: Proposed): Promise<Imported> {
  const { proposals, strays } = proposed;
  // Imports into one company take turns, so that each sees what the one before it stored.
  await lockCompany(change);
  const keys = proposals.map(({ key }) => key);
  const present = new Map((await findSkillsByKey(change, keys)).map((row) => [row.key, row]));
  const warnings = [...proposed.warnings, ...leftOut(strays)];
  const skills: SkillRow[] = [];
  for (const proposal of proposals) {
    const before = present.get(proposal.key);
    if (before !== undefined) warnings.push(...changesOf(before, proposal));
    skills.push(before === undefined ? await addSkill(change, proposal) : await renewSkill(change, before, proposal));
  }
  return { skills, warnings };
}

/** What a person would not expect of a new version. Pure. */
function changesOf(before: SkillRow, { name, sourceType, sourceLocator, contentHash }: Proposal): string[] {
  const renamed = before.name !== name;
  const isForeign = sourceType === "url" && (before.sourceType !== "url" || before.sourceLocator !== sourceLocator);
  return [
    ...(renamed ? [`${before.key} was called "${before.name}" and is now called "${name}".`] : []),
    ...(isForeign && before.contentHash !== contentHash ? [`${before.key} came from elsewhere before.`] : []),
  ];
}

function requireMayImport(caller: Caller): void {
  if (caller.kind !== "agent" || caller.permissions.canManageSkills) return;
  throw new Refusal("forbidden", "This agent may not import skills (permission canManageSkills).");
}

async function offerOf(caller: Caller, wish: Wish, needs: ImportNeeds, gone: AbortSignal): Promise<Offer> {
  if ("files" in wish) return offeredTexts(wish.files);
  const source = parseSource(wish.source);
  if (source.kind !== "folder") return await fetchSource(needs, source, gone);
  await requireMayReadFolder(caller, source.path, needs);
  return await readFolder(source.path);
}

function leftOut(strays: readonly string[]): string[] {
  if (strays.length === 0) return [];
  const named = strays.slice(0, mostNamed).join(", ");
  return [`Left out, because they belong to no skill: ${named}${strays.length > mostNamed ? ", …" : ""}.`];
}

async function addSkill(change: Change, { contents, ...proposal }: Proposal): Promise<SkillRow> {
  const { companyId, now } = change;
  const row = { companyId, id: newId(), ...proposal, version: 1, createdAt: now, updatedAt: now };
  await insertSkill(change, row, contents);
  change.record("skill.imported", row.id, contentOf(row));
  return row;
}

async function renewSkill(change: Change, before: SkillRow, { contents, ...proposal }: Proposal): Promise<SkillRow> {
  if (before.contentHash === proposal.contentHash) return before;
  const row = { ...before, ...proposal };
  await insertVersion(change, row, contents);
  const updated = await updateSkill(change, row);
  change.record("skill.updated", row.id, contentOf(row));
  return updated;
}

const contentOf = ({ key, contentHash, files }: SkillRow) => ({
  key,
  version: contentHash.slice(0, 12),
  files: files.length,
});
