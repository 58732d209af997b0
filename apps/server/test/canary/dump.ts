import type { TestServer } from "../test-server.ts";

/**
 * A whole database as one text, as a backup would hold it: every row of every table of every schema, PostgreSQL's own and
 * its statistics included; bytes, which it writes as hex, are decoded. No `pg_dump` comes with the embedded database, and
 * the driver cannot be relied on to end a COPY.
 */
export async function dumpOf({ database: { driver } }: Pick<TestServer, "database">): Promise<string> {
  // What was planned from a sample of the rows holds some of their values, too.
  await driver`analyze`;
  const tables = await driver<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') order by 1`;
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await driver.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`);
    parts.push(name, ...rows.map(({ row }) => decoded(row)));
  }
  return parts.join("\n");
}

const decoded = (row: string): string =>
  row.replace(/\\x((?:[0-9a-f]{2})+)/g, (_, digits: string) => Buffer.from(digits, "hex").toString("latin1"));
