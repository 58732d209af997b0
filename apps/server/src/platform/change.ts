import { type Action, type ActionDetails, actions } from "@roster/contract";
import type { SQL } from "drizzle-orm";
import { appendEntries, appendOwnEntry, type Entry } from "./activity/index.ts";
import { type Bounds, usualBounds } from "./bounds.ts";
import { type Database, isRetryable, type Writer } from "./database/index.ts";
import { newId } from "./ids.ts";
import { actorOf, type Caller, type Cause, type Scope } from "./scope.ts";
import type { Signals } from "./signals.ts";
import type { Upkeep } from "./upkeep.ts";

/**
 * The right to write, in one transaction of one company. It exists only inside {@link change}, and what was written
 * through it commits only together with at least one entry of the activity log.
 */
export interface Change extends Scope {
  /** Writes. Touching it without recording an entry makes the change refuse to commit. */
  readonly write: Writer;
  /** Writes machinery in the same transaction; needs no entry. */
  readonly upkeep: Upkeep;
  /** How much one cause may lead to. */
  readonly bounds: Bounds;
  /** The entry that began the chain this change belongs to: its own first one, where nothing led to it. */
  readonly rootId: string | null;
  /** Adds an entry to the log. Answers the entry's id. */
  record<A extends Action>(action: A, entityId: string, details: ActionDetails<A>, place?: EntryPlace): string;
  /** How many entries of its company were recorded so far. */
  readonly recorded: number;
  /** Tells whoever listens to these ids once this has committed; its company is always told. */
  announce(...ids: string[]): void;
}

/** Where an entry stands, if not where its change does. */
export interface EntryPlace {
  /** The company of its entity. */
  readonly companyId?: string;
  /** Its own id, made before by {@link newId} because a row had to name it. */
  readonly id?: string;
  /** What led to it. */
  readonly cause?: Cause;
  /** Who did it, where no credential says so yet: it came in with a token of this very operation. */
  readonly caller?: Caller;
}

/** What a change needs from the process it runs in. */
export interface ChangeHost {
  readonly database: Database;
  readonly notifier: Pick<Signals, "notify">;
  /** Hears of entries once they stand in the log. */
  readonly committed?: ((entries: readonly Entry[]) => void) | undefined;
  /** The usual ones, if not set. */
  readonly bounds?: Bounds | undefined;
}

/** A name that was free is not any more: the change begins again and finds the next. */
export class LostRace extends Error {}

const attempts = 10;
/** Of N changes that want one name, each round lets one through. */
const races = 100;

/**
 * Runs `work` in a transaction: everything it wrote and every entry it recorded commit together, or nothing does.
 * A deadlock, a serialisation failure or a lost race is tried again, so `work` must have no effect outside the database.
 */
export const change = <T>(host: ChangeHost, scope: Scope, work: (change: Change) => Promise<T>): Promise<T> =>
  untilDone(() => attemptChange(host, scope, work));

async function untilDone<T>(attemptOnce: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (error) {
      const again = error instanceof LostRace ? attempt < races : attempt < attempts && isRetryable(error);
      if (!again) throw error;
    }
  }
}

/** What one statement does, and the entry that tells of it. */
export interface Deed {
  readonly action: Action;
  readonly entityId: string;
  /** As {@link appendOwnEntry} takes them. */
  readonly steps: SQL;
  /** Who is told of it, beside the company. */
  readonly announce: readonly string[];
}

/**
 * A change of one statement, which is whole without a transaction around it. Answers false where it found nothing to do,
 * and then has written nothing.
 */
export async function changeAtOnce(host: ChangeHost, scope: Scope, deed: Deed): Promise<boolean> {
  const { companyId, caller, requestId } = scope;
  const { action, entityId, steps, announce } = deed;
  const entityType = actions[action].entity;
  const entry = { id: newId(), companyId, action, entityType, entityId, ...actorOf(caller), requestId };
  const rest = await untilDone(() => appendOwnEntry(host.database.autocommit, steps, entry));
  if (rest === null) return false;
  host.notifier.notify([companyId, ...announce]);
  host.committed?.([{ ...entry, ...rest }]);
  return true;
}

async function attemptChange<T>(host: ChangeHost, scope: Scope, work: (change: Change) => Promise<T>): Promise<T> {
  const companies = new Map<string, Entry[]>();
  const announced = new Set<string>();
  const answer = await host.database.transaction(async (writer) => {
    const recorder = new Recorder(scope, writer, host.bounds ?? usualBounds);
    const result = await work(recorder);
    for (const id of recorder.announced) announced.add(id);
    if (recorder.wrote && recorder.entries.length === 0)
      throw new Error("a change was not recorded in the activity log");
    for (const entry of recorder.entries)
      companies.set(entry.companyId, [...(companies.get(entry.companyId) ?? []), entry]);
    // Heads are locked in one order by everyone; each company's entries are one statement, the last before COMMIT.
    for (const companyId of [...companies.keys()].sort()) {
      await appendEntries(writer, companyId, companies.get(companyId) ?? []);
    }
    return result;
  });
  host.notifier.notify([...companies.keys(), ...announced]);
  host.committed?.([...companies.values()].flat());
  return answer;
}

class Recorder implements Change {
  readonly entries: Entry[] = [];
  readonly announced = new Set<string>();
  wrote = false;
  readonly companyId: string;
  readonly caller: Scope["caller"];
  readonly cause: Scope["cause"];
  readonly now: Date;
  readonly requestId: string;
  readonly db: Scope["db"];
  readonly upkeep: Upkeep;
  readonly bounds: Bounds;
  readonly #writer: Writer;

  constructor(scope: Scope, writer: Writer, bounds: Bounds) {
    this.bounds = bounds;
    this.companyId = scope.companyId;
    this.caller = scope.caller;
    this.cause = scope.cause;
    this.now = scope.now;
    this.requestId = scope.requestId;
    this.db = writer;
    this.upkeep = writer;
    this.#writer = writer;
  }

  get write(): Writer {
    this.wrote = true;
    return this.#writer;
  }

  get rootId(): string | null {
    return this.cause.rootId ?? this.entries[0]?.rootId ?? null;
  }

  get recorded(): number {
    return this.entries.filter(({ companyId }) => companyId === this.companyId).length;
  }

  announce(...ids: string[]): void {
    for (const id of ids) this.announced.add(id);
  }

  record<A extends Action>(action: A, entityId: string, details: ActionDetails<A>, place: EntryPlace = {}): string {
    const { id = newId(), companyId = this.companyId, cause = this.cause, caller = this.caller } = place;
    const { requestId } = this;
    this.entries.push({
      id,
      companyId,
      action,
      entityType: actions[action].entity,
      entityId,
      ...actorOf(caller),
      causeId: cause.causeId,
      rootId: cause.rootId ?? this.rootId ?? id,
      hops: cause.hops,
      details,
      requestId,
    });
    return id;
  }
}
