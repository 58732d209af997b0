import { env } from "@roster/contract";
import { registerRunner } from "../../src/index.ts";
import type { World } from "./world.ts";

/** A run that a runner has claimed and of which it has told something, with what speaks for it. */
export interface BuiltRun {
  readonly id: string;
  readonly agentId: string;
  /** The runner that holds it, which works for its company only. */
  readonly runner: SweepRunner;
  /** Of the agent in it. */
  readonly credential: string;
}

/** A runner and its token. */
export interface SweepRunner {
  readonly id: string;
  readonly token: string;
}

/** A runner that may work from now on, for these companies or for all. */
export const runnerToken = ({ server, next }: World, companyIds: string[] | null): Promise<SweepRunner> =>
  registerRunner(
    { database: server.database, notifier: { notify: () => undefined } },
    { name: `runner-${next()}`, companyIds },
  );

/** Number of the claim of a run that was claimed once. */
export const firstEpoch = 1;

/** Makes a run of a new agent, claimed by a runner of its own, that has printed a few lines. */
export async function buildRun(world: World, companyId: string): Promise<BuiltRun> {
  const { server } = world;
  const agentId = await world.build("agent", { companyId, params: {} });
  const { run } = await server.board.runs.wakeup({ params: { agentId }, body: {} });
  if (run === null) throw new Error("a new agent is not woken");
  // More urgent than whatever other calls have left in the queue.
  await server.database.driver`update runs set priority = -1000 where id = ${run.id}`;
  const runner = await runnerToken(world, [companyId]);
  const { runners } = server.as(runner.token);
  const { orders } = await runners.claim({ body: { capacity: 1, waitSec: 0 } });
  const [order] = orders;
  if (order?.runId !== run.id) throw new Error(`the runner got ${order?.runId ?? "nothing"}, not the run`);
  const { epoch, service } = order;
  let offset = 0;
  const events = [...sampleLines].map((text) => {
    const length = Buffer.byteLength(text);
    offset += length;
    return { kind: "output" as const, stream: "stdout" as const, offset: offset - length, length, text };
  });
  await runners.events({ params: { runId: run.id }, body: { epoch, events } });
  return { id: run.id, agentId, runner, credential: service[env("API_KEY")] ?? "" };
}

const sampleLines = ["one\n", "two and three\n", "vier: ä\n", "five\n"];

/** Gives the lease of a run to another runner. */
export async function entrust({ server }: World, runId: string, runnerId: string): Promise<void> {
  const { driver } = server.database;
  await driver`update leases set runner_id = ${runnerId} where run_id = ${runId}`;
  await driver`update runs set runner_id = ${runnerId} where id = ${runId}`;
}

/** Forgets that it was said how a run came out, so that it can be said again. */
export async function reopen({ server }: World, runId: string): Promise<void> {
  await server.database.driver`update leases set completion = null where run_id = ${runId}`;
}

/**
 * No lease runs out while a sweep looks at what calls change: it would change something of itself. Nor does a stop of
 * the whole deployment begin before it is over, which would end the runs in which callers are.
 */
export async function keepRuns({ server }: World): Promise<void> {
  const { driver } = server.database;
  await driver.unsafe(`
    create function keep_lease() returns trigger language plpgsql as $$
    begin new.lease_until := now() + interval '1 day'; return new; end $$;
    create trigger keep_lease before insert or update on leases for each row execute function keep_lease();
    create function keep_going() returns trigger language plpgsql as $$
    begin new.stopped_at := new.stopped_at + interval '1 day'; return new; end $$;
    create trigger keep_going before update of stopped_at on instance for each row execute function keep_going()`);
}
