import type { Configuration } from "@roster/client";

/** An agent that has something in its configuration. */
export interface Use {
  readonly agentId: string;
  readonly name: string;
}

/** Which agents refer to which secret, by the secret's id. Pure. */
export function usesOfSecrets(configurations: readonly Configuration[]): ReadonlyMap<string, readonly Use[]> {
  const uses = new Map<string, Use[]>();
  for (const { agentId, name, adapterConfig } of configurations) {
    for (const secretId of new Set(secretsIn(adapterConfig))) {
      uses.set(secretId, [...(uses.get(secretId) ?? []), { agentId, name }]);
    }
  }
  return uses;
}

/** Ids of secrets that are referred to anywhere in a value. */
function secretsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const { type, secretId } = value as { readonly type?: unknown; readonly secretId?: unknown };
  if (type === "secret_ref" && typeof secretId === "string") return [secretId];
  return Object.values(value).flatMap(secretsIn);
}

/** An agent that has a skill, and whether in the version that is present. */
export interface SkillUse extends Use {
  readonly isCurrent: boolean;
}

/** Which agents have a skill. Pure. */
export const usesOfSkill = (
  configurations: readonly Configuration[],
  skill: { readonly key: string; readonly contentHash: string },
): readonly SkillUse[] =>
  configurations.flatMap(({ agentId, name, skills }) => {
    const pin = skills.find(({ key }) => key === skill.key);
    return pin === undefined ? [] : [{ agentId, name, isCurrent: pin.contentHash === skill.contentHash }];
  });
