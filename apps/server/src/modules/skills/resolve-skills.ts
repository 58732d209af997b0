import type { RefusalDetail } from "@roster/contract";
import { closest } from "fastest-levenshtein";
import { isId } from "../../platform/ids.ts";
import { Missing, Refusal } from "../../platform/refusal.ts";
import type { Scope } from "../../platform/scope.ts";
import { findSkillsByName, listSkillNames } from "./store.ts";

/** A skill that a name turned out to mean, with its present version. */
export interface ResolvedSkill {
  readonly key: string;
  readonly contentHash: string;
  readonly versionId: string;
}

/** Names compared with a misspelt one, and characters of it that count: comparing costs their product. */
const mostCompared = 1000;
const longestCompared = 200;

/**
 * The skills that these names mean: each is a skill's id, its canonical key, or a slug that only one skill of the
 * company has. In the order given, each skill once. One statement when all is well. Refuses `unknown_skill` with the
 * nearest key and `ambiguous_skill` with the candidates, at `path` and the position; throws Missing for an id.
 */
export async function resolveSkills(
  scope: Scope,
  names: readonly string[],
  path = "desiredSkills",
): Promise<ResolvedSkill[]> {
  if (names.length === 0) return [];
  const found = await findSkillsByName(scope, names);
  const meant = names.map((name, n) => ({
    name,
    at: `${path}.${n}`,
    skills: isId(name)
      ? found.filter(({ id }) => id === name.toLowerCase())
      : found.filter(({ key, slug }) => key === name || slug === name),
  }));
  const unknown = meant.filter(({ skills }) => skills.length === 0);
  for (const { name, at } of unknown) if (isId(name)) throw new Missing("skill", name, at);
  if (unknown.length > 0) throw await unknownSkills(scope, unknown);
  const ambiguous = meant.filter(({ skills }) => skills.length > 1);
  if (ambiguous.length > 0) throw ambiguousSkills(ambiguous);
  const resolved = meant.flatMap(({ skills }) => skills);
  return Array.from(
    new Map(resolved.map(({ key, contentHash, versionId }) => [key, { key, contentHash, versionId }])).values(),
  );
}

async function unknownSkills(scope: Scope, unknown: readonly { name: string; at: string }[]): Promise<Refusal> {
  const known = await listSkillNames(scope, mostCompared);
  const keys = new Map(known.flatMap(({ key, slug }) => [[key, key] as const, [slug, key] as const]));
  const details = unknown.map(({ name, at }): RefusalDetail => {
    const nearest =
      known.length === 0 ? undefined : keys.get(closest(name.slice(0, longestCompared), [...keys.keys()]));
    const message = "no skill of this company has this key or slug";
    return { path: at, message, ...(nearest !== undefined && { nearest }) };
  });
  return new Refusal("unknown_skill", `This company has no skill "${unknown[0]?.name}".`, {
    details,
    fix: { method: "GET", path: `/api/companies/${scope.companyId}/skills` },
  });
}

function ambiguousSkills(
  ambiguous: readonly { name: string; at: string; skills: readonly { key: string }[] }[],
): Refusal {
  const details = ambiguous.map(({ at, skills }) => ({
    path: at,
    message: "several skills have this slug; use the key",
    allowed: skills.map(({ key }) => key),
  }));
  return new Refusal("ambiguous_skill", `More than one skill has the slug "${ambiguous[0]?.name}".`, { details });
}
