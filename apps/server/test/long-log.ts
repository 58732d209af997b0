import { type Change, change } from "../src/platform/change.ts";
import { newId } from "../src/platform/ids.ts";
import { scopeIn } from "./module-door.ts";
import type { TestServer } from "./test-server.ts";

/** A log to be read, longer than anybody reads at once. */
export interface LongLog {
  /** The company's name, which every entry tells. */
  readonly name: string;
  /** Adds so many entries in one change, of several kinds and about several entities; nobody is told of them. */
  add(count: number): Promise<void>;
}

/** Writes to the log of a company as fast as it goes. */
export function longLog(server: TestServer, companyId: string, name: string): LongLog {
  const subjects = [newId(), newId(), newId()];
  const record = (writing: Change, n: number): void => {
    const entityId = subjects[n % subjects.length] ?? companyId;
    if (n % 2 === 0) writing.record("agent.resumed", entityId, { name });
    else writing.record("runner.registered", entityId, { name });
  };
  return {
    name,
    add: (count) =>
      change(
        { database: server.database, notifier: { notify: () => undefined } },
        scopeIn(server, companyId),
        async (writing) => {
          for (let n = 0; n < count; n += 1) record(writing, n);
        },
      ),
  };
}
