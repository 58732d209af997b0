import { createClient } from "@roster/client";
import { type Company, found } from "./company.ts";
import { breakThings } from "./faults.ts";
import { type Ground, openGround } from "./ground.ts";
import { findingsIn } from "./invariants.ts";
import { randomOf } from "./random.ts";
import { settleDown } from "./settle-down.ts";
import { watchMoney } from "./watch-money.ts";
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
const clerks = 3;

/**
 * Works and breaks things at the same time, on two servers and two runners; then lets everything come to rest and looks
 * at what must hold. The choices follow from the seed; their timing is the machine's.
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
  const ground = await openGround(root);
  try {
    const clients = ground.urls.map((baseUrl) => createClient({ baseUrl, retries: 1000, timeoutMs: 20_000 }));
    const [first = createClient({ baseUrl: "" })] = clients;
    const companies: Company[] = [];
    for (let n = 0; n < companiesThere; n += 1) companies.push(await found(first, randomOf(seed + n), ground.folder));
    const told: Acknowledged = { wakes: new Map(), comments: new Set(), issues: new Set(), hires: new Set() };
    const over = AbortSignal.timeout(seconds * 1000);
    const money = watchMoney(ground.sql);
    const working = Array.from({ length: clerks }, (_, n) =>
      workOn({ client: clients[n % clients.length] ?? first, random: randomOf(seed + 100 + n), companies }, told, over),
    );
    const faults = await breakThings(ground, randomOf(seed + 1000), over);
    tell("Everything runs again; waiting until it comes to rest.");
    await Promise.all(working);
    const unrest = await settleDown(ground, first, companies);
    const findings = [
      ...unrest,
      ...(await money.stop()),
      ...(await findingsIn({ ground, client: first, companies, told })),
    ];
    return { faults, counts: await countsOf(ground, told), findings };
  } finally {
    await ground.close();
  }
}

async function countsOf({ sql }: Ground, told: Acknowledged): Promise<string> {
  const rows = await sql<{ status: string; count: number }[]>`
    select status, count(*)::int from runs group by status order by status`;
  const ends = rows.map(({ status, count }) => `${count} ${status}`).join(", ");
  return `${told.wakes.size} wakes, ${told.comments.size} comments, ${told.hires.size} hires acknowledged; runs: ${ends}`;
}
