import { hierarchy, type LaidOut, tree } from "d3-hierarchy";

/** Of somebody, what decides where they stand. */
export interface Reporting {
  readonly id: string;
  readonly reportsTo: string | null;
}

/** Where somebody stands, and the line that leads there from the manager; null for who has none. */
export interface Place<T> {
  readonly of: T;
  readonly left: number;
  readonly top: number;
  readonly line: string | null;
}

/** Everybody's place, and how large the picture is. */
export interface OrgPicture<T> {
  readonly places: readonly Place<T>[];
  readonly width: number;
  readonly height: number;
}

/** How large a card is, and how far apart they stand. */
export const card = { width: 236, height: 124, gapX: 28, gapY: 40 } as const;

/** So many who have no reports themselves stand side by side; more stand in columns, so that no row is miles long. */
const mostSideBySide = 4;
const rail = 14;

interface Spot<T> {
  readonly of: T | null;
  readonly below: readonly Spot<T>[];
  /** Stands below a colleague, not below the manager. */
  readonly isStacked: boolean;
}

/** Where everybody stands. Who reports to somebody who is not here, or to itself around corners, is at the top. Pure. */
export function layOut<T extends Reporting>(people: readonly T[]): OrgPicture<T> {
  const reports = reportsOf(people);
  const above: Spot<T> = { of: null, below: spotsOf(reports.get(null) ?? [], reports), isStacked: false };
  const laid = tree()
    .nodeSize([card.width + card.gapX, card.height + card.gapY])
    .separation(() => 1)(hierarchy(above, ({ below }) => below))
    .descendants()
    .filter(({ data }) => data.of !== null);
  const first = Math.min(...laid.map(({ x }) => x));
  const places = laid.flatMap((node) => placeOf(node, first));
  return {
    places,
    width: Math.max(0, ...places.map(({ left }) => left)) + card.width,
    height: Math.max(0, ...places.map(({ top }) => top)) + card.height,
  };
}

function placeOf<T>(node: LaidOut<Spot<T>>, first: number): Place<T>[] {
  const { of } = node.data;
  if (of === null) return [];
  const at = { left: node.x - first, top: node.y - (card.height + card.gapY) };
  let manager = node.parent;
  for (let spot: LaidOut<Spot<T>> | null = node; spot?.data.isStacked === true; spot = spot.parent) {
    manager = spot.parent?.parent ?? null;
  }
  const line = manager === null || manager.data.of === null ? null : lineTo(at, manager, { first, node });
  return [{ of, ...at, line }];
}

function lineTo<T>(
  { left, top }: { readonly left: number; readonly top: number },
  manager: LaidOut<Spot<T>>,
  { first, node }: { readonly first: number; readonly node: LaidOut<Spot<T>> },
): string {
  const half = card.width / 2;
  const from = { x: manager.x - first + half, y: manager.y - card.gapY };
  const middle = from.y + card.gapY / 2;
  const isInColumn = node.data.isStacked || node.data.below.some(({ isStacked }) => isStacked);
  if (!isInColumn) return `M${from.x} ${from.y}V${middle}H${left + half}V${top}`;
  return `M${from.x} ${from.y}V${middle}H${left - rail}V${top + card.height / 2}H${left}`;
}

function reportsOf<T extends Reporting>(people: readonly T[]): ReadonlyMap<string | null, readonly T[]> {
  const byId = new Map(people.map((person) => [person.id, person]));
  const reports = new Map<string | null, T[]>();
  for (const person of people) {
    const manager = isRooted(person, byId) ? person.reportsTo : null;
    reports.set(manager, [...(reports.get(manager) ?? []), person]);
  }
  return reports;
}

/** Whether the line above somebody is here and ends. */
function isRooted<T extends Reporting>({ id, reportsTo }: T, byId: ReadonlyMap<string, T>): boolean {
  if (reportsTo === null || !byId.has(reportsTo)) return false;
  const seen = new Set([id]);
  for (let at: string | null = reportsTo; at !== null; at = byId.get(at)?.reportsTo ?? null) {
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return true;
}

function spotsOf<T extends Reporting>(
  people: readonly T[],
  reports: ReadonlyMap<string | null, readonly T[]>,
): Spot<T>[] {
  const below = (person: T): readonly T[] => reports.get(person.id) ?? [];
  const spots = people
    .filter((person) => below(person).length > 0)
    .map((person): Spot<T> => ({ of: person, below: spotsOf(below(person), reports), isStacked: false }));
  return [...spots, ...columnsOf(people.filter((person) => below(person).length === 0))];
}

function columnsOf<T>(people: readonly T[]): Spot<T>[] {
  const count = people.length <= mostSideBySide ? people.length : Math.ceil(Math.sqrt(people.length) / 2);
  const long = Math.ceil(people.length / Math.max(count, 1));
  return Array.from({ length: count }, (_, column) => people.slice(column * long, (column + 1) * long)).flatMap(
    (stack) => stackOf(stack, false),
  );
}

function stackOf<T>([first, ...others]: readonly T[], isStacked: boolean): Spot<T>[] {
  return first === undefined ? [] : [{ of: first, below: stackOf(others, true), isStacked }];
}
