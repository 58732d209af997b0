import type { NamedOperation } from "@roster/contract";
import { type AddItem, itemAdder } from "./add-item.ts";
import { parsed } from "./answer-check.ts";
import { type Finding, findingsAt } from "./finding.ts";
import { callOf, type Input, merged } from "./input.ts";
import type { Trial } from "./trial.ts";
import type { Answer } from "./wire.ts";
import type { World } from "./world.ts";

const itemsBefore = 4;
const itemsDuring = 3;
const fewPages = 40;
const noAdder = "is not walked: say in apps/server/test/sweep/add-item.ts how an item comes into it";

/**
 * Walks a list in small pages while items are added to it: whatever was there at the start is seen exactly once, and the
 * walk ends. A list that nothing can be added to is a finding: its pages would not be seen.
 */
export async function walkPages(world: World, named: NamedOperation, trial: Trial): Promise<Finding[]> {
  const { summary, answer } = named.operation;
  if (answer.kind !== "page") return [];
  const add = itemAdder(world, named, trial.place);
  if (add === null) return findingsAt("walking the pages", [noAdder]);
  const faults: string[] = [];
  for (let n = 0; n < itemsBefore; n += 1) faults.push(...(await add()));
  const all = await pageAt(world, named, trial, { limit: "200" });
  if (all.items.length < itemsBefore) faults.push(`shows ${all.items.length} items after ${itemsBefore} were added`);
  faults.push(...orderFaults(summary, all.places));
  const size = Math.ceil(all.items.length / fewPages) || 1;
  // Of a list that is longer than one page can be, only the beginning is walked.
  const mostPages = all.items.length / size + itemsDuring + (all.next === null ? 2 : 0);
  const walk: Walk = { size, mostPages, ends: all.next === null, add };
  const seen = await seenOnWalk(world, named, trial, walk);
  return findingsAt("walking the pages", [...faults, ...seen.faults, ...seenFaults(all.items, seen.items)]);
}

interface Walk {
  readonly size: number;
  readonly mostPages: number;
  /** It has to be at its end by then. */
  readonly ends: boolean;
  readonly add: AddItem;
}

async function seenOnWalk(world: World, named: NamedOperation, trial: Trial, walk: Walk) {
  const { size, mostPages, ends, add } = walk;
  const items: string[] = [];
  const faults: string[] = [];
  let query: Record<string, string> | null = { limit: String(size) };
  for (let pages = 1; query !== null; pages += 1) {
    const page = await pageAt(world, named, trial, query);
    faults.push(...page.faults);
    items.push(...page.items);
    if (page.items.length > size) faults.push(`a page of ${size} holds ${page.items.length} items`);
    if (page.items.length === 0 && pages > 1) faults.push("a Link leads to an empty page");
    if (pages <= itemsDuring) faults.push(...(await add()));
    if (pages > mostPages && ends) faults.push(`the walk did not end after ${pages} pages`);
    query = pages > mostPages ? null : page.next;
  }
  return { items, faults };
}

function seenFaults(atStart: readonly string[], seen: readonly string[]): string[] {
  const missed = atStart.filter((item) => !seen.includes(item));
  return [
    ...(missed.length > 0 ? [`missed ${missed.length} of ${atStart.length} items`] : []),
    ...(new Set(seen).size < seen.length ? ["showed an item twice"] : []),
  ];
}

interface SeenPage {
  /** What tells the items apart. */
  readonly items: readonly string[];
  /** When or as how manieth they came, where they say so. */
  readonly places: readonly (string | number)[];
  /** The query of the next page, as the Link gives it; null on the last. */
  readonly next: Record<string, string> | null;
  readonly faults: readonly string[];
}

async function pageAt(world: World, named: NamedOperation, trial: Trial, query: Input["query"]): Promise<SeenPage> {
  const input = merged(trial.input, query === undefined ? {} : { query });
  const call = callOf(named, trial.actor, trial.place, input);
  const answer = await world.wire.send(call);
  const body = parsed(answer.text);
  if (answer.status !== 200 || !Array.isArray(body)) {
    return { items: [], places: [], next: null, faults: [`answers ${answer.status} ${answer.text.slice(0, 200)}`] };
  }
  return { items: body.map(keyOf), places: body.flatMap(placeOf), ...nextOf(answer, call.path) };
}

const keyOf = (item: { id?: unknown; seq?: unknown }): string => String(item.id ?? item.seq ?? JSON.stringify(item));

const placeOf = (item: { seq?: number; createdAt?: string }): (string | number)[] => {
  const place = item.seq ?? item.createdAt;
  return place === undefined ? [] : [place];
};

/** Lists are newest first unless their summary says otherwise. */
function orderFaults(summary: string, places: readonly (string | number)[]): string[] {
  const isAscending = summary.includes("oldest first");
  const isSorted = places.every((place, index) => {
    const before = places[index - 1];
    return before === undefined || before === place || before < place === isAscending;
  });
  return isSorted ? [] : [`is not ${isAscending ? "oldest" : "newest"} first`];
}

/** The Link has to lead to the same list with everything that was asked, and a cursor. */
function nextOf({ headers }: Answer, path: string): Pick<SeenPage, "next" | "faults"> {
  const { link } = headers;
  if (link === undefined) return { next: null, faults: [] };
  const target = /^<([^>]+)>; rel="next"$/.exec(String(link))?.[1];
  if (target === undefined) return { next: null, faults: [`the Link is ${String(link)}`] };
  const [here, next] = [new URL(path, "http://relative"), new URL(target, "http://relative")];
  const kept = [...here.searchParams].every(
    ([name, value]) => name === "cursor" || next.searchParams.get(name) === value,
  );
  const isSame = here.pathname === next.pathname && kept && next.searchParams.has("cursor");
  return {
    next: Object.fromEntries(next.searchParams),
    faults: isSame ? [] : [`the Link of ${path} leads to ${target}`],
  };
}
