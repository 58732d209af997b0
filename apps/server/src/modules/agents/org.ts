import type { OrgNode } from "@roster/contract";

/** One agent's place in the company. */
export type Place = Omit<OrgNode, "reports"> & { readonly reportsTo: string | null };

/** The reporting trees of these agents. An agent whose manager is not among them is a root. Pure. */
export function orgOf(places: readonly Place[]): OrgNode[] {
  const nodes = new Map<string, OrgNode>();
  for (const { reportsTo: _, ...place } of places) nodes.set(place.id, { ...place, reports: [] });
  const roots: OrgNode[] = [];
  for (const place of places) {
    const node = nodes.get(place.id);
    if (node === undefined) continue;
    const manager = place.reportsTo === null ? undefined : nodes.get(place.reportsTo);
    (manager?.reports ?? roots).push(node);
  }
  return roots;
}
