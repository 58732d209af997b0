import type { Expense } from "./expense.ts";
import type { Hits, Volley } from "./load.ts";
import { many } from "./many.ts";
import type { LoadRequest, Prepared, Scenario } from "./scenario.ts";
import type { Stage, Target } from "./stage.ts";

/** What one serving process did under load. */
export interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Its own time on a processor per request; unlike the rest hardly depends on what else the machine does. */
  readonly cpuMicros: number;
}

/** One scenario, measured over some number of companies. */
export interface Outcome {
  readonly scenario: string;
  readonly companies: number;
  readonly server: Figures;
  readonly floor: Figures;
  /** The server's requests per second as a part of the floor's. */
  readonly ofFloor: number;
  /** SQL statements of one request of the server. */
  readonly statements: number;
}

const warmUpSeconds = 2;
const rounds = 3;
const statementSamples = 20;
/** Things to be used up that are made for each second of a round. */
const suppliedPerSecond = 200;

/** A scenario and what was prepared for it, company by company. */
interface Ready {
  readonly scenario: Scenario;
  readonly prepared: readonly Prepared[];
}

/** Prepares a scenario in fresh companies and measures server and floor in turn; of the rounds the middle one counts. */
export async function measure(
  stage: Stage,
  scenario: Scenario,
  extent: { companies: number; seconds: number },
): Promise<Outcome> {
  const ready = { scenario, prepared: await prepare(stage, scenario, extent.companies) };
  const statements = await statementsOf(stage, await requestsOf(stage, ready, statementSamples));
  for (const target of [stage.floor, stage.server]) await round(stage, target, ready, warmUpSeconds);
  // Once more, with rows in the tables: plans made for empty ones would stay for as long as their connections.
  await stage.settle();
  const floor: Figures[] = [];
  const server: Figures[] = [];
  for (let n = 0; n < rounds; n += 1) {
    floor.push(await round(stage, stage.floor, ready, extent.seconds));
    server.push(await round(stage, stage.server, ready, extent.seconds));
  }
  const [middleServer, middleFloor] = [middle(server), middle(floor)];
  return {
    scenario: scenario.name,
    companies: extent.companies,
    server: middleServer,
    floor: middleFloor,
    ofFloor: middleServer.perSecond / middleFloor.perSecond,
    statements,
  };
}

async function prepare(stage: Stage, scenario: Scenario, companies: number): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (let n = 1; n <= companies; n += 1) {
    const company = await stage.board.companies.create({ body: { name: `${scenario.name} ${n} of ${companies}` } });
    prepared.push(await scenario.prepare(company, stage));
  }
  await stage.settle();
  return prepared;
}

/** One request for each company; where requests use something up, one for each of `supplied` new things. */
async function requestsOf({ as }: Stage, { scenario, prepared }: Ready, supplied: number): Promise<LoadRequest[]> {
  if (scenario.supply === undefined) return prepared.map((one) => scenario.request(one));
  return many(supplied, async (index) => {
    const place = prepared[index % prepared.length] ?? {};
    const request = scenario.request(place);
    const id = await scenario.supply?.(place, as);
    return { ...request, path: request.path.replace("#", id ?? "") };
  });
}

/** Asks one by one, so that nothing else is counted. */
async function statementsOf(stage: Stage, requests: readonly LoadRequest[]): Promise<number> {
  const { child, url } = stage.server;
  const count = async (): Promise<number> => (await child.ask<Expense>({})).statements ?? 0;
  const before = await count();
  for (let n = 0; n < statementSamples; n += 1) {
    const { method, path, headers, body } = requests[n % requests.length] as LoadRequest;
    const text = body === undefined ? null : JSON.stringify(body).replaceAll("#", `of sample ${n}`);
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(text !== null && { "content-type": "application/json" }) },
      body: text,
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${answer}`);
  }
  return ((await count()) - before) / statementSamples;
}

async function round(stage: Stage, target: Target, ready: Ready, seconds: number): Promise<Figures> {
  const requests = await requestsOf(stage, ready, Math.ceil(seconds * suppliedPerSecond));
  return fire(stage, target, { requests, seconds, once: ready.scenario.supply !== undefined });
}

/** Fires at a target, and says what it did. */
export async function fire(stage: Stage, { child, url }: Target, volley: Omit<Volley, "url">): Promise<Figures> {
  const before = await child.ask<Expense>({});
  const hits = await stage.load.ask<Hits>({ url, ...volley });
  const after = await child.ask<Expense>({});
  return {
    perSecond: hits.perSecond,
    p50Ms: hits.p50,
    p99Ms: hits.p99,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / hits.requests,
  };
}

function middle(figures: readonly Figures[]): Figures {
  const sorted = [...figures].sort((one, other) => one.perSecond - other.perSecond);
  return sorted[Math.floor(sorted.length / 2)] as Figures;
}
