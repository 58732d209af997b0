import { type SkillFile, skillSourceTypes } from "@roster/contract";
import {
  check,
  type ForeignKeyBuilder,
  foreignKey,
  index,
  jsonb,
  type PgColumn,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, edited, moment, oneOf } from "../../platform/database/index.ts";
import { companies } from "../companies/index.ts";

/** Skills. `contentHash` names the present version. */
export const skills = pgTable(
  "skills",
  {
    companyId: uuid()
      .notNull()
      .references(() => companies.id),
    id: uuid().notNull(),
    key: text().notNull(),
    slug: text().notNull(),
    name: text().notNull(),
    description: text().notNull(),
    sourceType: text({ enum: skillSourceTypes }).notNull(),
    sourceLocator: text(),
    sourceRef: text(),
    contentHash: text().notNull(),
    ...edited(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    unique("skills_key").on(table.companyId, table.key),
    presentVersion([table.companyId, table.id, table.contentHash]),
    index("skills_id").on(table.id),
    index("skills_slug").on(table.companyId, table.slug),
    check("skills_source_type", oneOf(table.sourceType, skillSourceTypes)),
  ],
);

/** What a skill held at one time; never changed, because revisions of agents refer to it. `files` has no contents. */
export const skillVersions = pgTable(
  "skill_versions",
  {
    companyId: uuid().notNull(),
    id: uuid().notNull(),
    skillId: uuid().notNull(),
    contentHash: text().notNull(),
    files: jsonb().$type<SkillFile[]>().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({ columns: [table.companyId, table.skillId], foreignColumns: [skills.companyId, skills.id] }),
    unique("skill_versions_content").on(table.companyId, table.skillId, table.contentHash),
    index("skill_versions_skill").on(table.companyId, table.skillId, table.id),
  ],
);

/** Contents of files, a table of its own so that no list ever reads them. */
export const skillFiles = pgTable(
  "skill_files",
  {
    companyId: uuid().notNull(),
    versionId: uuid().notNull(),
    path: text().notNull(),
    content: bytes().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.versionId, table.path] }),
    foreignKey({
      columns: [table.companyId, table.versionId],
      foreignColumns: [skillVersions.companyId, skillVersions.id],
    }),
  ],
);

/** Declared apart, because a skill and its versions refer to each other. */
function presentVersion(columns: [PgColumn, PgColumn, PgColumn]): ForeignKeyBuilder {
  const { companyId, skillId, contentHash } = skillVersions;
  return foreignKey({ name: "skills_present_version", columns, foreignColumns: [companyId, skillId, contentHash] });
}
