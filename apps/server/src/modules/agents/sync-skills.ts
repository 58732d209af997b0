import type { Body, contract } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { changedFields } from "../../platform/edit.ts";
import { Refusal } from "../../platform/refusal.ts";
import { pinned, requireChangeable } from "./change-agent.ts";
import { recordRevision } from "./record-revision.ts";
import { type AgentRow, lockAgent, updateAgent } from "./store.ts";
import type { SkillPin } from "./table.ts";

type Wish = Body<typeof contract.configurations.syncSkills>;

/** Sets the skills of an agent and brings those named to their present versions. A difference is a new revision. */
export async function syncSkills(change: Change, agentId: string, wish: Wish): Promise<AgentRow> {
  requireMaySync(change, agentId);
  const row = await lockAgent(change, agentId);
  requireChangeable(row);
  const { skills } = changedFields(row, { skills: await wantedSkills(change, row, wish) });
  if (skills === undefined) return row;
  const agent = await updateAgent(change, row, { skills: [...skills], revisionNumber: row.revisionNumber + 1 });
  await recordRevision(change, agent, row, "skills_sync");
  change.record("agent.skills_synced", row.id, { name: row.name, skills: skills.map(({ key }) => key) });
  return agent;
}

function requireMaySync({ caller }: Change, agentId: string): void {
  if (caller.kind !== "agent" || caller.agentId === agentId || caller.permissions.canManageSkills) return;
  throw new Refusal("forbidden", "This agent may sync only its own skills (permission canManageSkills).");
}

async function wantedSkills(change: Change, row: AgentRow, wish: Wish): Promise<readonly SkillPin[]> {
  const present = row.skills;
  if (wish.desiredSkills === undefined)
    return pinned(
      change,
      present.map(({ key }) => key),
    );
  const named = await pinned(change, wish.desiredSkills);
  const keys = new Set(named.map(({ key }) => key));
  const others = present.filter(({ key }) => !keys.has(key));
  if (wish.mode === "replace") return named;
  return wish.mode === "remove" ? others : [...others, ...named];
}
