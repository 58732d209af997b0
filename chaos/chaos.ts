import { join } from "node:path";
import { createClient } from "@roster/client";
import { type Company, found } from "./company.ts";
import { breakThings } from "./faults.ts";
import { type Ground, openGround } from "./ground.ts";
import { findingsIn } from "./invariants.ts";
import { randomOf } from "./random.ts";
import { settleDown } from "./settle-down.ts";
import { watchMoney } from "./watch-money.ts";
import { watchReplacements } from "./watch-replacements.ts";
import { type Acknowledged, workOn } from "./work.ts";

/** What was done and found. */
export interface Chaos {
  readonly faults: readonly string[];
  /** How much happened, in words. */
  readonly counts: string;
  /** What does not hold; empty when everything does. */
  readonly findings: readonly string[];
}

const companiesThere = 2;
const clerks = 5;
/** How much of everything there is, so that a short chaos comes to rest soon. */
const scaleOf = (seconds: number) => ({
  mostLines: seconds < 60 ? 25 : 60,
  // Each may have a run waiting for it.
  mostIssues: Math.min(Math.round(seconds / 2), 30),
  // Half of what a lease lasts.
  mostAwayMs: Math.min(Math.round((seconds * 1000) / 6), 15_000),
});

/**
 * Works and breaks things at the same time, on two servers and two runners; then lets everything come to rest and looks
 * at what must hold. The choices follow from the seed; their timing is the machine's. Where something does not hold,
 * what servers and runners said is kept in `.cache/chaos-seed-<seed>`.
 */
export async function createChaos({
  root,
  seconds,
  seed,
  tell,
}: {
  root: string;
  seconds: number;
  seed: number;
  tell: (line: string) => void;
}): Promise<Chaos> {
  const { mostLines, mostIssues, mostAwayMs } = scaleOf(seconds);
  const ground = await openGround(root);
  try {
    const clients = ground.urls.map((baseUrl) => createClient({ baseUrl, retries: 1000, timeoutMs: 20_000 }));
    const [first = createClient({ baseUrl: "" })] = clients;
    const companies: Company[] = [];
    for (let n = 0; n < companiesThere; n += 1)
      companies.push(await found(first, randomOf(seed + n), { folder: ground.folder, mostLines }));
    const told = nothingYet();
    const over = AbortSignal.timeout(Math.round(seconds * 1000));
    const watches = [watchMoney(ground.sql), watchReplacements(ground.sql)];
    const working = Array.from({ length: clerks }, (_, n) =>
      workOn(
        { client: clients[n % clients.length] ?? first, random: randomOf(seed + 100 + n), companies, mostIssues },
        told,
        over,
      ),
    );
    const breaking = { ground, random: randomOf(seed + 1000), mostAwayMs };
    const faults = await breakThings(breaking, over);
    tell("Everything runs again; waiting until it comes to rest.");
    await Promise.all(working);
    const unrest = await settleDown(ground, first, companies);
    const findings = [
      ...unrest,
      ...(await Promise.all(watches.map((watch) => watch.stop()))).flat(),
      ...(await findingsIn({ ground, client: first, companies, told })),
    ];
    if (findings.length > 0) await ground.keepLogs(join(root, ".cache", `chaos-seed-${seed}`));
    return { faults, counts: await countsOf(ground, told), findings };
  } finally {
    await ground.close();
  }
}

const nothingYet = (): Acknowledged => ({
  wakes: new Map(),
  comments: new Set(),
  issues: new Set(),
  hires: new Set(),
  rejected: new Set(),
  costs: new Set(),
});

async function countsOf({ sql }: Ground, told: Acknowledged): Promise<string> {
  const rows = await sql<{ status: string; count: number }[]>`
    select status, count(*)::int from runs group by status order by status`;
  const ends = rows.map(({ status, count }) => `${count} ${status}`).join(", ");
  const { wakes, comments, hires, costs } = told;
  const words = `${wakes.size} wakes, ${comments.size} comments, ${hires.size} hires, ${costs.size} costs`;
  return `${words} acknowledged; runs: ${ends}`;
}
