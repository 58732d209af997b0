import type postgres from "postgres";

const channel = "roster_activity";
/** PostgreSQL takes payloads under 8,000 bytes; 200 ids of 36 characters and commas stay below. */
const mostIds = 200;

/** Tells other processes that companies have new entries. */
export interface Notifier {
  /** Never fails and never waits: who misses a word polls. */
  notify(companyIds: Iterable<string>): void;
  close(): Promise<void>;
}

/**
 * Sends after the commit, on a connection of its own: NOTIFY inside the transaction would make the commits of all
 * companies wait for one another. One statement is under way at a time; what comes meanwhile is folded into the next.
 */
export function startNotifier(driver: postgres.Sql): Notifier {
  const waiting = new Set<string>();
  let sending: Promise<void> | null = null;

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const ids = [...waiting].slice(0, mostIds);
      for (const id of ids) waiting.delete(id);
      await driver.notify(channel, ids.join(",")).catch(() => undefined);
    }
    sending = null;
  }

  return {
    notify(companyIds) {
      for (const id of companyIds) waiting.add(id);
      if (waiting.size > 0) sending ??= send();
    },
    close: async () => {
      await sending;
    },
  };
}

/** Calls `heard` with the ids of companies that have new entries, and with none after every (re)connect. */
export async function listen(
  driver: postgres.Sql,
  heard: (companyIds: string[]) => void,
): Promise<() => Promise<void>> {
  const listening = await driver.listen(
    channel,
    (payload) => heard(payload.split(",")),
    () => heard([]),
  );
  return listening.unlisten;
}
