import { isUtf8 } from "node:buffer";
import type { Skill, SkillContent, SkillVersion } from "@roster/contract";
import type { Versioned } from "../../platform/http/index.ts";
import { fileKind } from "./file-kind.ts";
import type { SkillRow, SkillVersionRow } from "./store.ts";

/** A stored skill as the API shows it. */
export const presentSkill = (row: SkillRow): Skill => ({
  id: row.id,
  companyId: row.companyId,
  key: row.key,
  slug: row.slug,
  name: row.name,
  description: row.description,
  source: { type: row.sourceType, locator: row.sourceLocator, ref: row.sourceRef },
  contentHash: row.contentHash,
  files: row.files,
  createdAt: row.createdAt.toISOString(),
});

/** The same with the number of its ETag. */
export const versionedSkill = (row: SkillRow): Versioned<Skill> => ({ version: row.version, body: presentSkill(row) });

/** A stored version as the API shows it. */
export const presentVersion = (row: SkillVersionRow): SkillVersion => ({
  id: row.id,
  contentHash: row.contentHash,
  files: row.files,
  createdAt: row.createdAt.toISOString(),
});

/** A file of a skill as the API shows it: as text where its bytes are text. */
export function presentFile(path: string, content: Buffer): SkillContent {
  const encoding = isUtf8(content) ? "utf8" : "base64";
  return { path, kind: fileKind(path), bytes: content.length, encoding, content: content.toString(encoding) };
}
