import type { World } from "./world.ts";

/** What is stored, as one text per table: it differs as soon as a row was added, changed or removed. */
export type Fingerprint = ReadonlyMap<string, string>;

/** In it servers say every few seconds that they are there. */
const aliveTable = "instance";

const statements = new WeakMap<World, Promise<string>>();

/** Takes the fingerprint of every table, the log and its heads included. */
export async function fingerprint(world: World): Promise<Fingerprint> {
  const statement = statements.get(world) ?? statementFor(world);
  statements.set(world, statement);
  const rows = await world.server.database.driver.unsafe<{ name: string; print: string }[]>(await statement);
  return new Map(rows.map(({ name, print }) => [name, print]));
}

/** A row that is written anew gets another place and transaction; one that is only locked does not. */
async function statementFor({ server }: World): Promise<string> {
  const tables = await server.database.driver<{ name: string }[]>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> ${aliveTable} order by table_name`;
  const one = ({ name }: { name: string }): string =>
    `select '${name}' as name, count(*) || '/' || coalesce(sum(hashtext(xmin::text || ctid::text)), 0) as print from ${name}`;
  return tables.map(one).join(" union all ");
}

/** Names of the tables in which two fingerprints differ. */
export const movedTables = (before: Fingerprint, after: Fingerprint): string[] =>
  [...after].filter(([name, print]) => before.get(name) !== print).map(([name]) => name);

const tries = 3;

/**
 * Tables that `act` moves. Loops of the server may move one while it runs, so only what moves every time is told;
 * `act` makes its own start anew each time.
 */
export async function tablesMovedBy(world: World, act: () => Promise<unknown>): Promise<string[]> {
  let moved: string[] | null = null;
  for (let n = 0; n < tries; n += 1) {
    const before = await fingerprint(world);
    await act();
    const now = movedTables(before, await fingerprint(world));
    moved = moved === null ? now : moved.filter((name) => now.includes(name));
    if (moved.length === 0) return [];
  }
  return moved ?? [];
}
