import { localBoardUserId } from "@roster/contract";
import { type Change, change } from "../src/platform/change.ts";
import { newId } from "../src/platform/ids.ts";
import { type Caller, noCause, type Scope } from "../src/platform/scope.ts";
import { startSignals } from "../src/platform/signals.ts";
import type { TestServer } from "./test-server.ts";

/** The local board, as modules know it. */
export const boardCaller: Caller = { kind: "board", userId: localBoardUserId };

/** An active agent of a company, as modules know it. */
export const agentCaller = (companyId: string): Caller => ({
  kind: "agent",
  agentId: newId(),
  companyId,
  name: "An agent",
  status: "idle",
  companyStatus: "active",
  permissions: { canCreateAgents: true, canManageSkills: true, canAssignTasks: true },
});

/** A scope for calling a module at its door, where no operation leads to what is tested. */
export const scopeIn = (server: TestServer, companyId: string, caller: Caller = boardCaller): Scope => ({
  companyId,
  caller,
  cause: noCause,
  db: server.database.reader,
  now: new Date(),
  requestId: newId(),
});

/** Runs `work` in a change, as the HTTP layer would. */
export async function changeIn<T>(server: TestServer, scope: Scope, work: (change: Change) => Promise<T>): Promise<T> {
  const notifier = startSignals(server.database.driver);
  try {
    return await change({ database: server.database, notifier }, scope, work);
  } finally {
    await notifier.close();
  }
}

/** Every row of every table as one text, the way a backup would hold it. */
export async function everythingStored({ database: { driver } }: TestServer): Promise<string> {
  const tables = await driver<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await driver.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return texts.join("\n");
}
