import { fire } from "./measure.ts";
import type { Measurement } from "./measurement.ts";
import type { Stage } from "./stage.ts";
import { typicalIssue } from "./typical-issue.ts";
import { judged } from "./verdict.ts";

const small = { issues: 100, entries: 300 };
const large = { issues: 100_000, entries: 1_000_000 };
const seconds = 3;
/** Statuses, priorities and who holds what are as they are in the first page; what is behind it must not matter. */
const lists = {
  issues: "issues?limit=50",
  "open issues": "issues?limit=50&status=todo,in_progress",
  activity: "activity?limit=50",
  "activity of one kind": "activity?limit=50&entityType=issue",
};

/** The first page of lists in a company with little behind it, and in one with a long history. */
export const history: Measurement = {
  name: "history",
  async measure(stage) {
    const short = await companyWith(stage, small);
    const long = await companyWith(stage, large);
    await stage.settle();
    const figures: Record<string, { shortMs: number; longMs: number; ratio: number }> = {};
    for (const [name, path] of Object.entries(lists)) {
      await p99Of(stage, short, path);
      const shortMs = await p99Of(stage, short, path);
      await p99Of(stage, long, path);
      const longMs = await p99Of(stage, long, path);
      figures[name] = { shortMs, longMs, ratio: longMs / shortMs };
    }
    return {
      figures,
      verdicts: Object.entries(figures).map(([name, { ratio }]) =>
        judged(`${name}: p99 after a long history, of a short one's`, ratio, "", { atMost: 1.5 }),
      ),
    };
  },
};

async function p99Of(stage: Stage, companyId: string, path: string): Promise<number> {
  const requests = [{ method: "GET" as const, path: `/api/companies/${companyId}/${path}` }];
  return (await fire(stage, stage.server, { requests, seconds, once: false })).p99Ms;
}

/** A company that has so many issues and entries: one of each is made by the service, the rest is copied from it. */
async function companyWith(stage: Stage, { issues, entries }: typeof small): Promise<string> {
  const company = await stage.board.companies.create({ body: { name: `${issues} issues` } });
  const issue = await stage.board.issues.create({ params: { companyId: company.id }, body: typicalIssue("Vouchers") });
  const sql = stage.database.driver;
  await sql`
    insert into issues select made.* from issues i, generate_series(2, ${issues}::int) n,
      lateral jsonb_populate_record(i, jsonb_build_object('id', uuidv7(), 'number', n,
        'identifier', split_part(i.identifier, '-', 1) || '-' || n,
        'status', case when n % 10 = 0 then 'todo' else 'backlog' end)) made
    where i.company_id = ${company.id} and i.id = ${issue.id}`;
  await sql`update issue_counters set last_number = ${issues} where company_id = ${company.id}`;
  await sql`
    with head as (
      update activity_heads set last_seq = last_seq + ${entries}::int where company_id = ${company.id} returning last_seq
    )
    insert into activity select made.* from head, activity a, generate_series(1, ${entries}::int) n,
      lateral jsonb_populate_record(a, jsonb_build_object('id', uuidv7(), 'seq', head.last_seq - ${entries}::int + n)) made
    where a.company_id = ${company.id} and a.action = 'issue.created'`;
  return company.id;
}
