import type { Agent, AgentSkills, Configuration, Revision, RevisionWithContent } from "@roster/contract";
import { redact } from "../../platform/secrets/index.ts";
import { contentOf } from "./content.ts";
import type { RevisionRow } from "./revision-store.ts";
import type { AgentValues, ConfigurationRow } from "./store.ts";
import type { Content, SkillPin } from "./table.ts";

/** A stored revision without its content, as lists show it. */
export function presentRevision(row: Omit<RevisionRow, "content">): Revision {
  return {
    id: row.id,
    agentId: row.agentId,
    number: row.number,
    contentHash: row.contentHash,
    source: row.source,
    changed: row.changed,
    actor: { kind: row.actorKind, id: row.actorId },
    createdAt: row.createdAt.toISOString(),
  };
}

/** A content as the API shows it. */
function presentContent(content: Content): RevisionWithContent["content"] {
  return {
    ...content,
    adapterConfig: redact(content.adapterConfig) as Agent["adapterConfig"],
    skills: [...content.skills],
  };
}

/** A revision with its content. */
export const presentRevisionWithContent = (row: RevisionRow): RevisionWithContent => ({
  ...presentRevision(row),
  content: presentContent(row.content),
});

/** An agent's configuration with its revision. */
export function presentConfiguration({ agent, revision }: ConfigurationRow): Configuration {
  return {
    ...presentContent(contentOf(agent)),
    agentId: agent.id,
    companyId: agent.companyId,
    name: agent.name,
    role: agent.role,
    title: agent.title,
    status: agent.status,
    reportsTo: agent.reportsTo,
    desiredSkills: keysOf(agent.skills),
    revision,
  };
}

/** The skills of an agent beside the versions the company has now. */
export function presentSkills(agent: AgentValues, present: ReadonlyMap<string, string>): AgentSkills {
  const stateOf = ({ key, contentHash }: SkillPin): AgentSkills["skills"][number]["state"] => {
    const now = present.get(key);
    if (now === undefined) return "missing";
    return now === contentHash ? "synced" : "drifted";
  };
  return {
    desiredSkills: keysOf(agent.skills),
    skills: agent.skills.map((pin) => ({ ...pin, state: stateOf(pin) })),
  };
}

const keysOf = (pins: readonly SkillPin[]): string[] => pins.map(({ key }) => key);
