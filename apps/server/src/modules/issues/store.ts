import { issueStatuses } from "@roster/contract";
import { and, desc, eq, getTableColumns, inArray, like, lt, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Change } from "../../platform/change.ts";
import { databaseFault, type Reader } from "../../platform/database/index.ts";
import type { Located } from "../../platform/locate.ts";
import { Missing } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { type AgentRow, agents } from "../agents/index.ts";
import { type CompanyRow, companies } from "../companies/index.ts";
import type { Holder } from "./checkout.ts";
import type { Identifier } from "./identifier.ts";
import type { IssueStatus } from "./lifecycle.ts";
import { numberMark, searchableIssue } from "./searchable-text.ts";
import { issueCounters, issues, issueTexts } from "./table.ts";

/** An issue's own columns. */
export type IssueValues = typeof issues.$inferSelect;
/** An issue as stored; `held` says whether its checkout still stands. */
export type IssueRow = IssueValues & { readonly held: boolean };
/** Columns of an issue that may change. */
export type IssueEdit = Partial<
  Omit<IssueValues, "companyId" | "id" | "number" | "identifier" | "version" | "createdAt" | "updatedAt">
>;

/** What a change inside a company stands on. */
export interface Ground {
  readonly company: Pick<CompanyRow, "issuePrefix">;
  /** The agent asked for; null where the company has none of that id. */
  readonly agent: Colleague | null;
}

/** What must be known of an agent before work is given to it. */
export type Colleague = Pick<AgentRow, "id" | "name" | "status" | "pauseReason"> & {
  /** The calling agent is above it in the reporting tree. */
  readonly reportsToCaller: boolean;
};

/** A checkout made without a run ends so many hours later, by the database's clock. */
const longestCheckoutHours = 24;
const standsStill = sql<boolean>`(${issues.checkoutAgentId} is not null and (${issues.checkoutRunId} is not null
  or ${issues.checkoutAt} > clock_timestamp() - make_interval(hours => ${sql.raw(String(longestCheckoutHours))})))`;
/** What is read of an issue. */
export const issueColumns = { ...getTableColumns(issues), held: standsStill };
const groundColumns = { issuePrefix: companies.issuePrefix };

const isIssue = (scope: Scope, id: string): SQL | undefined =>
  and(eq(issues.companyId, scope.companyId), eq(issues.id, id));

/** The issue of the scope's company; throws Missing. */
export async function getIssue(scope: Scope, id: string): Promise<IssueRow> {
  const [row] = await scope.db.select(issueColumns).from(issues).where(isIssue(scope, id));
  if (row === undefined) throw new Missing("issue", id);
  return row;
}

/** The issue, locked until the change ends. Agents and company are locked before issues: see {@link lockGround}. */
export async function lockIssue(change: Change, id: string): Promise<IssueRow> {
  const [row] = await change.db.select(issueColumns).from(issues).where(isIssue(change, id)).for("no key update");
  if (row === undefined) throw new Missing("issue", id);
  return row;
}

/**
 * The company, and the agent that is to get work, which is neither paused nor terminated before the change commits: the
 * weakest lock that does so, because its counters move on meanwhile. One statement.
 */
export async function lockGround(change: Change, agentId: string | null): Promise<Ground> {
  if (agentId !== null) {
    const [row] = await change.db
      .select({ company: groundColumns, agent: colleagueColumns(change) })
      .from(agents)
      .innerJoin(companies, eq(companies.id, agents.companyId))
      .where(and(eq(agents.companyId, change.companyId), eq(agents.id, agentId)))
      .for("key share", { of: agents });
    if (row !== undefined) return row;
  }
  const [company] = await change.db.select(groundColumns).from(companies).where(eq(companies.id, change.companyId));
  if (company === undefined) throw new Missing("company", change.companyId);
  return { company, agent: null };
}

/** The agent of this id, which the scope's company has. */
export async function getColleague(scope: Scope, agentId: string): Promise<Colleague> {
  const [row] = await scope.db
    .select(colleagueColumns(scope))
    .from(agents)
    .where(and(eq(agents.companyId, scope.companyId), eq(agents.id, agentId)));
  if (row === undefined) throw new Missing("agent", agentId);
  return row;
}

const colleagueColumns = ({ caller }: Scope) => ({
  id: agents.id,
  name: agents.name,
  status: agents.status,
  pauseReason: agents.pauseReason,
  reportsToCaller: caller.kind === "agent" ? isBelow(caller.agentId) : sql<boolean>`false`,
});

/**
 * True where the selected agent works below this one. Its columns are spelled out: they must not become those of `m`.
 */
const isBelow = (managerId: string): SQL<boolean> => sql<boolean>`exists (
  with recursive above as (
    select m.id, m.reports_to from agents m where m.company_id = agents.company_id and m.id = agents.reports_to
    union
    select m.id, m.reports_to from above a join agents m on m.company_id = agents.company_id and m.id = a.reports_to
  )
  select from above where id = ${managerId})`;

/** The issues that a run has checked out, locked until the change ends. */
export function lockCheckedOut(change: Change, runId: string): Promise<IssueRow[]> {
  return change.db
    .select(issueColumns)
    .from(issues)
    .where(and(eq(issues.companyId, change.companyId), eq(issues.checkoutRunId, runId)))
    .orderBy(issues.id)
    .for("no key update");
}

/** Which issues. `before` is the id of the last issue of the page before. */
export interface IssuePage {
  readonly limit: number;
  readonly before: string | null;
  readonly status?: readonly IssueStatus[] | undefined;
  readonly priority?: IssueValues["priority"] | undefined;
  readonly assigneeAgentId?: string | undefined;
  readonly assigneeUserId?: string | undefined;
  readonly parentId?: string | undefined;
  /** A `like` pattern for the searchable text. */
  readonly search: string | undefined;
}

/**
 * Issues newest first. Statuses are walked one by one, each along an index that ends in the id, so that ten open issues
 * are found at once behind a million closed ones. Issues of an agent or a person are stored by status, so their lists walk
 * them all.
 */
export function listIssues(scope: Scope, page: IssuePage) {
  const statuses = page.status ?? ((page.assigneeAgentId ?? page.assigneeUserId) === undefined ? [] : issueStatuses);
  const walk = (status: IssueStatus) =>
    scope.db
      .select({ id: issues.id })
      .from(issues)
      .where(and(wanted(scope, page), eq(issues.status, status)))
      .orderBy(desc(issues.id))
      .limit(page.limit);
  const [first, second, ...others] = statuses.map(walk);
  return scope.db
    .select(issueColumns)
    .from(issues)
    .where(
      first === undefined
        ? wanted(scope, page)
        : and(
            eq(issues.companyId, scope.companyId),
            inArray(issues.id, second === undefined ? first : unionAll(first, second, ...others)),
          ),
    )
    .orderBy(desc(issues.id))
    .limit(page.limit);
}

function wanted(scope: Scope, page: IssuePage): SQL | undefined {
  return and(
    eq(issues.companyId, scope.companyId),
    page.before === null ? undefined : lt(issues.id, page.before),
    page.priority === undefined ? undefined : eq(issues.priority, page.priority),
    page.assigneeAgentId === undefined ? undefined : eq(issues.assigneeAgentId, page.assigneeAgentId),
    page.assigneeUserId === undefined ? undefined : eq(issues.assigneeUserId, page.assigneeUserId),
    page.parentId === undefined ? undefined : eq(issues.parentId, page.parentId),
    page.search === undefined ? undefined : inArray(issues.id, found(scope, page.search)),
  );
}

const found = (scope: Scope, search: string) =>
  scope.db
    .select({ id: issueTexts.issueId })
    .from(issueTexts)
    .where(and(eq(issueTexts.companyId, scope.companyId), like(issueTexts.text, search)));

/** Finds an issue by its identifier, in one company or, since prefixes are unique in the deployment, in any. */
export async function findIssueByIdentifier(
  db: Reader,
  { prefix, number }: Identifier,
  companyId: string | null,
): Promise<Located | null> {
  const [row] = await db
    .select({ id: issues.id, companyId: issues.companyId })
    .from(companies)
    .innerJoin(issues, and(eq(issues.companyId, companies.id), eq(issues.number, number)))
    .where(and(eq(companies.issuePrefix, prefix), companyId === null ? undefined : eq(companies.id, companyId)));
  return row ?? null;
}

/**
 * Adds an issue under the company's next number. One statement: a change undone takes its number back, so none is left
 * out.
 */
export async function insertIssue(
  change: Change,
  values: Omit<IssueValues, "number" | "identifier">,
  prefix: string,
): Promise<IssueRow> {
  const { $with } = change.write;
  const text = searchableIssue({ ...values, identifier: `${prefix}-` });
  const counter = $with("counter", {}).as(sql`
    insert into ${issueCounters} (company_id, last_number) values (${values.companyId}, 1)
    on conflict (company_id) do update set last_number = ${issueCounters.lastNumber} + 1
    returning last_number as number`);
  const texts = $with("texts", {}).as(sql`
    insert into ${issueTexts} (company_id, issue_id, text)
    select ${values.companyId}, ${values.id}, ${withNumber(text, sql`number`)} from counter`);
  const number = sql`(select number from counter)`;
  const [row] = await change.write
    .with(counter, texts)
    .insert(issues)
    .values({ ...values, number, identifier: sql`${`${prefix}-`} || ${number}` })
    .returning(issueColumns)
    .catch(missingParent(values.parentId));
  if (row === undefined) throw new Error("an issue was added and not answered");
  return row;
}

/**
 * Writes an edit of a locked issue, and gives it into a holder's hands from now on, by the database's clock. Its
 * version rises with what callers edit, not with who holds it.
 */
export async function updateIssue(change: Change, row: IssueRow, edit: IssueEdit, holder?: Holder): Promise<IssueRow> {
  const edited = Object.keys(edit).some((column) => !column.startsWith("checkout"));
  const [updated] = await change.write
    .update(issues)
    .set({
      ...edit,
      ...(holder && {
        checkoutAgentId: holder.agentId,
        checkoutRunId: holder.runId,
        checkoutAt: sql`clock_timestamp()`,
      }),
      version: row.version + (edited ? 1 : 0),
      updatedAt: change.now,
    })
    .where(and(isIssue(change, row.id), eq(issues.version, row.version), eq(issues.status, row.status)))
    .returning(issueColumns)
    .catch(missingParent(edit.parentId ?? null));
  if (updated === undefined) throw new Error("a locked issue changed under its lock");
  if (edit.title !== undefined || edit.description !== undefined) await rewriteText(change, updated);
  return updated;
}

async function rewriteText(change: Change, row: IssueRow): Promise<void> {
  await change.upkeep
    .update(issueTexts)
    .set({ text: withNumber(searchableIssue(row), sql`${row.number}`) })
    .where(and(eq(issueTexts.companyId, change.companyId), eq(issueTexts.issueId, row.id)));
}

const withNumber = (text: string, number: SQL): SQL => sql`replace(${text}, ${numberMark}, (${number})::text)`;

/** That the parent is in this company is for the database to say, in the statement that names it. */
const missingParent =
  (parentId: string | null) =>
  (error: unknown): never => {
    if (parentId !== null && databaseFault(error)?.constraint === "issues_parent") {
      throw new Missing("issue", parentId, "parentId");
    }
    throw error;
  };

/** Lets one change at a time move issues inside the company's tree. */
export async function lockTree(change: Change): Promise<void> {
  await change.db
    .select({ companyId: issueCounters.companyId })
    .from(issueCounters)
    .where(eq(issueCounters.companyId, change.companyId))
    .for("update");
}

/** True when `partId` is `issueId` itself or a part of it, however deep. The tree must be locked. */
export async function isPartOf(change: Change, partId: string, issueId: string): Promise<boolean> {
  const rows = await change.db.execute<{ found: number }>(sql`
    with recursive above as (
      select id, parent_id from issues where company_id = ${change.companyId} and id = ${partId}
      union
      select i.id, i.parent_id from above a join issues i on i.company_id = ${change.companyId} and i.id = a.parent_id
    )
    select 1 as found from above where id = ${issueId}`);
  return rows.length > 0;
}
