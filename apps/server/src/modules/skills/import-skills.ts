import { isAbsolute } from "node:path";
import type { Body, contract } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Caller } from "../../platform/scope.ts";
import { lockCompany } from "../companies/index.ts";
import { type Offer, offeredTexts } from "./offer.ts";
import { type Proposal, proposalsOf } from "./proposals.ts";
import { readFolder } from "./read-folder.ts";
import { findSkillsByKey, insertSkill, insertVersion, type SkillRow, updateSkill } from "./store.ts";

type Wish = Body<typeof contract.skills.import>;

const mostNamed = 5;

/** What an import did. */
export interface Imported {
  readonly skills: SkillRow[];
  readonly warnings: string[];
}

/**
 * Takes skills into the company. What the company has already stays untouched; other content under a known key becomes
 * a new version of that skill, and the versions before it are kept. All of it is taken or nothing.
 */
export async function importSkills(change: Change, wish: Wish, readsFolders: boolean): Promise<Imported> {
  requireMayImport(change.caller);
  const offer = await offerOf(change.caller, wish, readsFolders);
  const { proposals, strays } = await proposalsOf(offer);
  // Imports into one company take turns, so that each sees what the one before it stored.
  await lockCompany(change);
  const keys = proposals.map(({ key }) => key);
  const present = new Map((await findSkillsByKey(change, keys)).map((row) => [row.key, row]));
  const warnings = [...offer.warnings, ...leftOut(strays)];
  const skills: SkillRow[] = [];
  for (const proposal of proposals) {
    const before = present.get(proposal.key);
    if (before !== undefined && before.name !== proposal.name) {
      warnings.push(`${before.key} was called "${before.name}" and is now called "${proposal.name}".`);
    }
    skills.push(before === undefined ? await addSkill(change, proposal) : await renewSkill(change, before, proposal));
  }
  return { skills, warnings };
}

function requireMayImport(caller: Caller): void {
  if (caller.kind !== "agent" || caller.permissions.canManageSkills) return;
  throw new Refusal("forbidden", "This agent may not import skills (permission canManageSkills).");
}

async function offerOf(caller: Caller, wish: Wish, readsFolders: boolean): Promise<Offer> {
  if ("files" in wish) return offeredTexts(wish.files);
  requireMayReadFolder(caller, wish.source, readsFolders);
  return await readFolder(wish.source);
}

/** Refuses a source that is no folder, and anyone but the board in local trusted mode: folders belong to the machine. */
export function requireMayReadFolder(caller: Caller, source: string, readsFolders: boolean): void {
  if (!isAbsolute(source)) {
    const message = "must be the absolute path of a folder on the service's machine, such as /srv/skills/review";
    throw new Refusal("invalid_request", `"source" ${message}. Anything else is sent as files.`, {
      details: [{ path: "source", message }],
      fix: { body: { files: { "SKILL.md": "---\nname: …\ndescription: …\n---\n…" } } },
    });
  }
  if (caller.kind === "board" && readsFolders) return;
  throw new Refusal("forbidden", "Only the board, in local trusted mode, imports from a folder; send files instead.");
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
