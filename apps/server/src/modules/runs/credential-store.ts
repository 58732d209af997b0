import { and, eq, sql } from "drizzle-orm";
import { prepared } from "../../platform/database/index.ts";
import { agents } from "../agents/index.ts";
import { companies } from "../companies/index.ts";
import { runs } from "./table.ts";

/** What a run's credential says of its holder: one statement by primary key. */
export const findCredentialRun = prepared("run-credential", (db) =>
  db
    .select({
      agentId: runs.agentId,
      status: runs.status,
      epoch: runs.epoch,
      ending: runs.ending,
      issueId: runs.issueId,
      approvalId: runs.approvalId,
      startedAt: runs.startedAt,
      causeId: runs.causeId,
      rootId: runs.rootId,
      hops: runs.hops,
      name: agents.name,
      agentStatus: agents.status,
      permissions: agents.permissions,
      companyStatus: companies.status,
    })
    .from(runs)
    .innerJoin(agents, and(eq(agents.companyId, runs.companyId), eq(agents.id, runs.agentId)))
    .innerJoin(companies, eq(companies.id, runs.companyId))
    .where(and(eq(runs.companyId, sql.placeholder("companyId")), eq(runs.id, sql.placeholder("runId")))),
);

/** The company of the run `runId`, for a statement that finds who asks about it; null where there is none. */
export const companyOfRun = sql<string | null>`(select r.company_id from ${runs} r
  where r.id = ${sql.placeholder("runId")}::uuid)`;
