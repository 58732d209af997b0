import { and, desc, eq, getTableColumns, inArray, lt, sql } from "drizzle-orm";
import { activityHeads } from "../../platform/activity/index.ts";
import type { Change } from "../../platform/change.ts";
import { prepared, type Reader } from "../../platform/database/index.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { spend, spendColumns, spendOf } from "../budgets/index.ts";
import { companies, memberships } from "./table.ts";

/** A company as stored, with what it spent this month. */
export type CompanyRow = typeof companies.$inferSelect & { readonly spentMicros: number };
/** Columns of a company that may change. */
export type CompanyValues = Partial<Omit<typeof companies.$inferSelect, "id" | "version" | "createdAt" | "updatedAt">>;

const selectCompanies = (db: Reader) =>
  db
    .select({ ...getTableColumns(companies), spentMicros: spendColumns.spentMicros })
    .from(companies)
    .leftJoin(spend, spendOf(companies.id, companies.id));

const oneCompany = (db: Reader) => selectCompanies(db).where(eq(companies.id, sql.placeholder("id")));
const readCompany = prepared("company", oneCompany);
const lockedCompany = {
  update: prepared("company-update", (db) => oneCompany(db).for("update", { of: companies })),
  share: prepared("company-share", (db) => oneCompany(db).for("share", { of: companies })),
};
const own = (scope: Scope) => ({ id: scope.companyId });

/** The scope's company; throws Missing when there is none of this id. */
export async function getCompany(scope: Scope): Promise<CompanyRow> {
  const [row] = await readCompany(scope.db, own(scope));
  if (row === undefined) throw new Missing("company", scope.companyId);
  return row;
}

/** The company, locked until the change ends. Agents are locked before companies, so call this last. */
export async function lockCompany(change: Change, mode: "update" | "share" = "update"): Promise<CompanyRow> {
  const [row] = await lockedCompany[mode](change.db, own(change));
  if (row === undefined) throw new Missing("company", change.companyId);
  return row;
}

/** Whose companies: one, or those that a person is a member of. */
export interface CompanyFilter {
  readonly id?: string;
  readonly memberId?: string;
  readonly issuePrefix?: string | undefined;
}

/** Companies newest first, at most `limit`, older than the one with id `before`; only those of the filter. */
export function listCompanies(
  scope: Scope,
  page: { limit: number; before: string | null } & CompanyFilter,
): Promise<CompanyRow[]> {
  const ofMember = scope.db
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(eq(memberships.userId, page.memberId ?? ""));
  return selectCompanies(scope.db)
    .where(
      and(
        page.before === null ? undefined : lt(companies.id, page.before),
        page.id === undefined ? undefined : eq(companies.id, page.id),
        page.issuePrefix === undefined ? undefined : eq(companies.issuePrefix, page.issuePrefix),
        page.memberId === undefined ? undefined : inArray(companies.id, ofMember),
      ),
    )
    .orderBy(desc(companies.id))
    .limit(page.limit);
}

/** True when the company was added; false when its issue prefix is taken. */
export async function insertCompany(change: Change, row: typeof companies.$inferSelect): Promise<boolean> {
  const added = await change.write
    .insert(companies)
    .values(row)
    .onConflictDoNothing({ target: companies.issuePrefix })
    .returning({ id: companies.id });
  if (added.length === 0) return false;
  await change.write.insert(activityHeads).values({ companyId: row.id });
  return true;
}

/** Writes an edit and raises the version. */
export async function updateCompany(change: Change, row: CompanyRow, values: CompanyValues): Promise<CompanyRow> {
  const [updated] = await change.write
    .update(companies)
    .set({ ...values, version: row.version + 1, updatedAt: change.now })
    .where(and(eq(companies.id, row.id), eq(companies.version, row.version)))
    .returning();
  if (updated === undefined) throw new Error("a locked company changed under its lock");
  return { ...updated, spentMicros: row.spentMicros };
}
