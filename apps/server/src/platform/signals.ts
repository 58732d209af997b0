import postgres from "postgres";
import { createConnectionSet } from "./database/index.ts";
import { createEar, type Ear, type OpenEar } from "./ear.ts";
import { newId } from "./ids.ts";

export type { Ear } from "./ear.ts";

const channel = "roster_activity";
/** PostgreSQL takes payloads under 8,000 bytes; 190 ids of 40 characters with commas and the sender stay below. */
const mostIds = 190;
const reconnectSec = 0.25;
const patienceMs = 10_000;

/** What is waited for by everyone who could claim a run: there may be one that can start. */
export const queueSignal = "queue";
/** What is waited for by those who judge budgets: one may be nearly spent, or have another limit. */
export const budgetSignal = "budgets";

/** What is waited for by those who end runs: a runner, or all of them, may have been stopped. */
export const stopSignal = "stop";

/** News by id: of companies, runs, runners, or a fixed word. Nothing may depend on it: who misses a word polls. */
export interface Signals {
  /** Tells everybody, here and on other servers, that there is news about these ids. Never fails, never waits. */
  notify(ids: Iterable<string>): void;
  /** Begins to listen to one id; nothing told after this call is missed. */
  listen(id: string): Ear;
  /** Closes every ear; nothing is told from here on. */
  close(): Promise<void>;
}

/**
 * Signals of one server. Notify after the commit: NOTIFY inside the transaction would make the commits of all companies
 * wait for one another. Other servers hear through `driver`; they are listened to from the first ear on, over a
 * connection of its own to `directUrl` (to where the driver goes, if not given: no pooler may stand between).
 */
export function startSignals(driver: postgres.Sql, directUrl?: string): Signals {
  const ears = new Map<string, Set<OpenEar>>();
  const sender = createSender(driver);
  let line: postgres.Sql | null = null;
  let isOpen = true;

  function hear(ids: Iterable<string>): void {
    for (const id of ids) for (const ear of ears.get(id) ?? []) ear.hear();
  }

  function open(): postgres.Sql {
    const opened = lineTo(driver, directUrl);
    // Between two connections anything may have been missed. A first attempt that fails is repeated by the driver.
    opened.listen(channel, heard, () => hear(ears.keys())).catch(() => undefined);
    return opened;
  }

  function heard(payload: string): void {
    const [from, ...ids] = payload.split(",");
    if (from !== sender.name) hear(ids);
  }

  function addEar(id: string): Ear {
    const ear = createEar(() => {
      const others = ears.get(id);
      others?.delete(ear);
      if (others?.size === 0) ears.delete(id);
    });
    ears.set(id, (ears.get(id) ?? new Set()).add(ear));
    if (!isOpen) ear.close();
    return ear;
  }

  return {
    notify(ids) {
      if (!isOpen) return;
      const told = [...ids];
      hear(told);
      sender.send(told);
    },
    listen(id) {
      if (isOpen) line ??= open();
      return addEar(id);
    },
    async close() {
      isOpen = false;
      for (const ear of [...ears.values()].flatMap((of) => [...of])) ear.close();
      await Promise.all([sender.finish(), line?.end({ timeout: 0 })]);
    },
  };
}

/** Connections of its own that go where the driver's go, or to `directUrl`; none is opened before somebody listens. */
function lineTo({ options }: postgres.Sql, directUrl: string | undefined): postgres.Sql {
  const alone = { max: 1, connect_timeout: 5, backoff: () => reconnectSec, onnotice: () => undefined };
  if (directUrl !== undefined) return postgres(directUrl, alone);
  // The driver takes its own parsed options again, which its types do not say.
  return postgres({ ...options, ...alone } as object);
}

interface Sender {
  /** Stands first in every payload, so that nobody wakes twice of its own word. */
  readonly name: string;
  send(ids: readonly string[]): void;
  /** Resolves when what waits was sent, and closes its connection. */
  finish(): Promise<void>;
}

/** One statement is under way at a time, over a connection of its own; what comes meanwhile is folded into the next. */
function createSender({ options }: postgres.Sql): Sender {
  const name = newId();
  const line = createConnectionSet(options, { most: 1, patienceMs });
  const waiting = new Set<string>();
  let sending: Promise<void> | null = null;

  async function empty(): Promise<void> {
    while (waiting.size > 0) {
      const ids = [...waiting].slice(0, mostIds);
      for (const id of ids) waiting.delete(id);
      const payload = [name, ...ids].join(",");
      await line.lend(({ driver }) => driver.notify(channel, payload)).catch(() => undefined);
    }
    sending = null;
  }

  return {
    name,
    send(ids) {
      for (const id of ids) waiting.add(id);
      if (waiting.size > 0) sending ??= empty();
    },
    finish: async () => {
      await sending;
      await line.close();
    },
  };
}
