import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type postgres from "postgres";

/** Any number that all servers of one database agree on. */
const advisoryLock = 7_305_808_868;

/** The database was migrated by a newer version, or a migration was changed after it ran. */
export class MigrationError extends Error {}

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly hash: string;
}

/**
 * Brings the schema up to date. Servers that start together take turns; a migration runs once, in a transaction of
 * its own. Answers the names that ran now. Throws {@link MigrationError} for a database this version cannot serve.
 */
export async function migrate(driver: postgres.Sql, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const connection = await driver.reserve();
  try {
    await connection`select pg_advisory_lock(${advisoryLock})`;
    await connection.unsafe(
      "create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())",
    );
    const applied = await connection<{ name: string; hash: string }[]>`select name, hash from migrations order by name`;
    const pending = pendingMigrations(migrations, applied);
    for (const { name, hash, text } of pending) {
      const quoted = `insert into migrations (name, hash) values ('${name}', '${hash}')`;
      await connection.unsafe(`begin;\n${text};\n${quoted};\ncommit;`).catch(async (error: unknown) => {
        await connection.unsafe("rollback");
        throw error;
      });
    }
    return pending.map(({ name }) => name);
  } finally {
    await connection`select pg_advisory_unlock_all()`.catch(() => undefined);
    connection.release();
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      return { name, text, hash: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

/** Which migrations still have to run. Pure; throws when history and files disagree. */
function pendingMigrations(
  migrations: readonly Migration[],
  applied: readonly { name: string; hash: string }[],
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, hash } of applied) {
    const migration = known.get(name);
    if (migration === undefined) {
      throw new MigrationError(
        `The database was used by a newer version (it has ${name}). Start that version, or restore a backup from before.`,
      );
    }
    if (migration.hash !== hash) throw new MigrationError(`Migration ${name} was changed after it had run.`);
  }
  const done = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}
