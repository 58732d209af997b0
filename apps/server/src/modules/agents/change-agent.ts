import type { AgentChange, JsonObject } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { changedFields, requireVersion } from "../../platform/edit.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { resolveSkills } from "../skills/index.ts";
import { changedBehaviour } from "./behaviour.ts";
import { checkAnew } from "./check-anew.ts";
import { followLimit } from "./follow-limit.ts";
import { keepTimer } from "./keep-timer.ts";
import { recordRevision } from "./record-revision.ts";
import { requireManager } from "./reporting.ts";
import type { RevisionRow } from "./revision-store.ts";
import { type IncomingSettings, secureSettings } from "./secure-settings.ts";
import { type AgentRow, lockAgent, updateAgent } from "./store.ts";
import type { Content } from "./table.ts";

/** An agent to be changed, and the version the caller has seen. */
export interface Target {
  readonly agentId: string;
  readonly ifMatch: number | null;
}

/** Changes an agent. What is not named stays; what equals the present value is no change. */
export async function changeAgent(change: Change, keys: Keys, target: Target, patch: AgentChange): Promise<AgentRow> {
  const row = await lockAgent(change, target.agentId);
  requireVersion(row.version, target.ifMatch);
  requireChangeable(row);
  const { changed, agent } = await editAgent(change, keys, { row, patch, source: "update" });
  if (changed.length > 0) change.record("agent.changed", row.id, { name: agent.name, changed });
  return agent;
}

/** An edit of a locked agent. */
export interface Edit {
  readonly row: AgentRow;
  readonly patch: AgentChange;
  readonly source: RevisionRow["source"];
}

/** Applies an edit to a locked agent, with a revision where it touches behaviour. Records no entry. */
export async function editAgent(
  change: Change,
  keys: Keys,
  { row, patch, source }: Edit,
): Promise<{ changed: string[]; agent: AgentRow }> {
  const secretsOf = { owner: row.urlKey, boardDecides: row.status === "pending_approval" };
  const { identity, behaviour } = await changesOf(change, keys, { row, patch, secretsOf });
  const isRevision = Object.keys(behaviour).length > 0;
  if (!isRevision && Object.keys(identity).length === 0) return { changed: [], agent: row };
  const updated = await updateAgent(change, row, {
    ...identity,
    ...(behaviour as Partial<AgentRow>),
    ...(isRevision && { revisionNumber: row.revisionNumber + 1 }),
  });
  const agent = await followLimit(change, row, updated);
  await keepTimer(change, row, agent);
  if (!isRevision) return { changed: Object.keys(identity), agent };
  const revision = await recordRevision(change, agent, row, source);
  return {
    changed: [...Object.keys(identity), ...revision.changed],
    agent: await checkAnew(change, agent, revision),
  };
}

/** A patch of a locked agent on its way to becoming a change, or the proposal of one. */
export interface Draft {
  readonly row: AgentRow;
  readonly patch: AgentChange;
  /** Under whose name its secrets are stored, and whether it takes effect only once the board has approved. */
  readonly secretsOf: Pick<IncomingSettings, "owner" | "boardDecides">;
}

type Identity = Pick<AgentRow, "name" | "role" | "title" | "icon" | "reportsTo" | "capabilities">;

/** What a patch changes of an agent, checked, its secrets in the company's store. */
export async function changesOf(
  change: Change,
  keys: Keys,
  draft: Draft,
): Promise<{ identity: Partial<Identity>; behaviour: Partial<Content> }> {
  const { row, patch } = draft;
  const { name, role, title, icon, reportsTo, capabilities } = patch;
  const identity: Partial<Identity> = changedFields(row, { name, role, title, icon, reportsTo, capabilities });
  if (typeof identity.reportsTo === "string") await requireManager(change, identity.reportsTo, row.id);
  return { identity, behaviour: changedFields(row, await newBehaviour(change, keys, draft)) };
}

async function newBehaviour(change: Change, keys: Keys, { row, patch, secretsOf }: Draft): Promise<Content> {
  const behaviour = changedBehaviour(row, patch);
  const previous: JsonObject | undefined = patch.adapterType === undefined ? row.adapterConfig : undefined;
  const adapterConfig =
    patch.adapterConfig === undefined && patch.adapterType === undefined
      ? row.adapterConfig
      : await secureSettings(change, keys, {
          adapterConfig: behaviour.adapterConfig,
          previous,
          ...secretsOf,
        });
  const skills = patch.desiredSkills === undefined ? row.skills : await pinned(change, patch.desiredSkills);
  return { ...behaviour, adapterConfig, skills };
}

/** Skills by name as pins at their present versions. */
export async function pinned(change: Change, names: readonly string[]): Promise<Content["skills"]> {
  const skills = await resolveSkills(change, [...names]);
  return skills.map(({ key, contentHash }) => ({ key, contentHash }));
}

/** Refuses to change an agent whose hire is open, or that is terminated. */
export function requireChangeable({ companyId, status }: AgentRow): void {
  if (status === "pending_approval") {
    throw new Refusal(
      "agent_pending_approval",
      "This agent waits for approval; its proposal is changed by resubmitting it.",
      {
        fix: {
          read: `/api/companies/${companyId}/approvals?type=hire_agent`,
          resubmit: "POST /api/approvals/:approvalId/resubmit",
        },
      },
    );
  }
  if (status === "terminated") {
    throw new Refusal("agent_terminated", "This agent is terminated; nothing in it changes any more.");
  }
}
