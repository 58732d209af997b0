import { randomUUID } from "node:crypto";
import postgres from "postgres";

/** A database of its own for one test file. */
export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  drop(): Promise<void>;
}

/** Creates a database on the cluster at `url`, as a copy of `template` where one is named. */
export async function createTestDatabase(url: string, template?: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const admin = postgres(url, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${name}${template === undefined ? "" : ` template ${template}`}`);
  return {
    url: withDatabase(url, name),
    name,
    drop: async () => {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}

/** The same address with another database's name. */
const withDatabase = (url: string, name: string): string => url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
