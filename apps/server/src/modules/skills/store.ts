import type { SkillFile } from "@roster/contract";
import { and, desc, eq, getTableColumns, lt, or, type SQL, sql } from "drizzle-orm";
import type { Change } from "../../platform/change.ts";
import type { Reader } from "../../platform/database/index.ts";
import { isId, newId } from "../../platform/ids.ts";
import type { Located } from "../../platform/locate.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { skillFiles, skills, skillVersions } from "./table.ts";

/** A skill as stored, with the files of its present version. */
export type SkillRow = typeof skills.$inferSelect & { readonly files: SkillFile[] };
/** A version as stored. */
export type SkillVersionRow = typeof skillVersions.$inferSelect;

const versionOf = (contentHash: string | typeof skills.contentHash): SQL | undefined =>
  and(
    eq(skillVersions.companyId, skills.companyId),
    eq(skillVersions.skillId, skills.id),
    eq(skillVersions.contentHash, contentHash),
  );

const isSkill = (scope: Scope, id: string): SQL | undefined =>
  and(eq(skills.companyId, scope.companyId), eq(skills.id, id));

/** True where the column has one of these values, by its index; one statement text, however many there are. */
const isOneOf = (column: typeof skills.key | typeof skills.slug, values: readonly string[]): SQL =>
  sql`${column} = any(array(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)))`;

const selectSkills = (scope: Scope) =>
  scope.db
    .select({ ...getTableColumns(skills), files: skillVersions.files })
    .from(skills)
    .innerJoin(skillVersions, versionOf(skills.contentHash));

/** The skill of the scope's company; throws Missing. */
export async function getSkill(scope: Scope, id: string): Promise<SkillRow> {
  const [row] = await selectSkills(scope).where(isSkill(scope, id));
  if (row === undefined) throw new Missing("skill", id);
  return row;
}

/** Skills newest first, at most `limit`, older than the one with id `before`. */
export function listSkills(scope: Scope, page: { limit: number; before: string | null }): Promise<SkillRow[]> {
  return selectSkills(scope)
    .where(and(eq(skills.companyId, scope.companyId), page.before === null ? undefined : lt(skills.id, page.before)))
    .orderBy(desc(skills.id))
    .limit(page.limit);
}

/** The skills of the company that have one of these keys. */
export function findSkillsByKey(scope: Scope, keys: readonly string[]): Promise<SkillRow[]> {
  return selectSkills(scope).where(and(eq(skills.companyId, scope.companyId), isOneOf(skills.key, keys)));
}

/** The skills of the company that one of these ids, keys or slugs means, oldest first, with their present versions. */
export function findSkillsByName(scope: Scope, names: readonly string[]) {
  const ids = JSON.stringify(names.filter(isId));
  return scope.db
    .select({
      id: skills.id,
      key: skills.key,
      slug: skills.slug,
      contentHash: skills.contentHash,
      versionId: skillVersions.id,
    })
    .from(skills)
    .innerJoin(skillVersions, versionOf(skills.contentHash))
    .where(
      and(
        eq(skills.companyId, scope.companyId),
        or(
          sql`${skills.id} = any(array(select value::uuid from jsonb_array_elements_text(${ids}::jsonb)))`,
          isOneOf(skills.key, names),
          isOneOf(skills.slug, names),
        ),
      ),
    )
    .orderBy(skills.id);
}

/** At most `limit` keys and slugs of the company, newest first. */
export function listSkillNames(scope: Scope, limit: number) {
  return scope.db
    .select({ key: skills.key, slug: skills.slug })
    .from(skills)
    .where(eq(skills.companyId, scope.companyId))
    .orderBy(desc(skills.id))
    .limit(limit);
}

/** The present content hash of each of these keys that the company has. */
export async function skillVersionsOf(scope: Scope, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await scope.db
    .select({ key: skills.key, contentHash: skills.contentHash })
    .from(skills)
    .where(and(eq(skills.companyId, scope.companyId), isOneOf(skills.key, keys)));
  return new Map(rows.map(({ key, contentHash }) => [key, contentHash]));
}

/** Finds a skill by its key, or by a slug that only one skill of the company has. */
export async function findSkillByName(db: Reader, name: string, companyId: string): Promise<Located | null> {
  const [row, another] = await db
    .select({ id: skills.id, companyId: skills.companyId })
    .from(skills)
    .where(and(eq(skills.companyId, companyId), or(eq(skills.key, name), eq(skills.slug, name))))
    .limit(2);
  return another === undefined ? (row ?? null) : null;
}

/** Versions of a skill newest first, at most `limit`, older than the one with id `before`. */
export function listVersions(
  scope: Scope,
  page: { skillId: string; limit: number; before: string | null },
): Promise<SkillVersionRow[]> {
  return scope.db
    .select()
    .from(skillVersions)
    .where(
      and(
        eq(skillVersions.companyId, scope.companyId),
        eq(skillVersions.skillId, page.skillId),
        page.before === null ? undefined : lt(skillVersions.id, page.before),
      ),
    )
    .orderBy(desc(skillVersions.id))
    .limit(page.limit);
}

/** One file of a skill's present version, or of the version with `contentHash`; undefined when it has no such file. */
export async function findFile(scope: Scope, wanted: { skillId: string; path: string; contentHash?: string }) {
  const [row] = await scope.db
    .select({ content: skillFiles.content })
    .from(skills)
    .innerJoin(skillVersions, versionOf(wanted.contentHash ?? skills.contentHash))
    .innerJoin(
      skillFiles,
      and(eq(skillFiles.companyId, skillVersions.companyId), eq(skillFiles.versionId, skillVersions.id)),
    )
    .where(and(isSkill(scope, wanted.skillId), eq(skillFiles.path, wanted.path)));
  return row?.content;
}

/** Adds a skill with its first version. */
export async function insertSkill(
  change: Change,
  { files, ...row }: SkillRow,
  contents: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const version = newVersion(change, { ...row, files });
  // One statement, because a skill and its present version refer to each other.
  const added = change.write.$with("added").as(change.write.insert(skills).values(row).returning({ id: skills.id }));
  await change.write.with(added).insert(skillVersions).values(version);
  await insertFiles(change, version.id, contents);
}

/** Adds a version of a skill, unless the skill has held this content before: then that version stands. */
export async function insertVersion(
  change: Change,
  row: SkillRow,
  contents: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const version = newVersion(change, row);
  const added = await change.write
    .insert(skillVersions)
    .values(version)
    .onConflictDoNothing({ target: [skillVersions.companyId, skillVersions.skillId, skillVersions.contentHash] })
    .returning({ id: skillVersions.id });
  if (added.length === 1) await insertFiles(change, version.id, contents);
}

const newVersion = ({ now }: Change, { companyId, id, contentHash, files }: SkillRow): SkillVersionRow => ({
  companyId,
  id: newId(),
  skillId: id,
  contentHash,
  files,
  createdAt: now,
});

/** All files of a version in one statement, the same for any number of them. */
async function insertFiles(change: Change, versionId: string, contents: ReadonlyMap<string, Buffer>): Promise<void> {
  const rows = Array.from(contents, ([path, content]) => ({ path, content: content.toString("base64") }));
  await change.write.execute(sql`
    insert into skill_files (company_id, version_id, path, content)
    select ${change.companyId}, ${versionId}, f.path, decode(f.content, 'base64')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f(path text, content text)`);
}

/** Makes another version the present one, and raises the number of the ETag. The company must be locked. */
export async function updateSkill(change: Change, { files, ...row }: SkillRow): Promise<SkillRow> {
  const { key, slug, name, description, sourceType, sourceLocator, sourceRef, contentHash, version } = row;
  const [updated] = await change.write
    .update(skills)
    .set({
      key,
      slug,
      name,
      description,
      sourceType,
      sourceLocator,
      sourceRef,
      contentHash,
      version: version + 1,
      updatedAt: change.now,
    })
    .where(and(isSkill(change, row.id), eq(skills.version, version)))
    .returning();
  if (updated === undefined) throw new Error("a skill changed while its company was locked");
  return { ...updated, files };
}
