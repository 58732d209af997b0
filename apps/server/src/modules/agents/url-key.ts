const longest = 60;

/** The n-th candidate for the name an agent has in addresses. Pure; the database decides which candidate is free. */
export function urlKeyCandidate(name: string, n: number): string {
  const slug = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest)
    .replace(/^-|-$/g, "");
  const base = slug === "" ? "agent" : slug;
  return n === 0 ? base : `${base}-${n + 1}`;
}
