import { isDeepStrictEqual } from "node:util";
import {
  type AgentChange,
  agentPermissions,
  hireRevision,
  instructionsBundle,
  type JsonObject,
} from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { refuseSecrets } from "../../platform/http/index.ts";
import { mergePatch } from "../../platform/merge-patch.ts";
import { Refusal } from "../../platform/refusal.ts";
import { checked } from "../../platform/schema-check.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { type AgentRow, activateAgent, dropAgent, editAgent, getAgent } from "../agents/index.ts";
import type { ApprovalEffects } from "../approvals/index.ts";
import { hirePayload, hireSubject } from "./hire-payload.ts";

/** What decisions about a hire do to its agent. */
export const hireEffects = (keys: Keys): ApprovalEffects => ({
  async approve(change, _approval, agent) {
    const proposed = requireAgent(agent);
    await requireStillPossible(change, proposed);
    await activateAgent(change, proposed);
  },
  async drop(change, _approval, agent) {
    await dropAgent(change, requireAgent(agent));
  },
  async resubmit(change, { approval, agent, patch }) {
    const row = requireAgent(agent);
    const edit = { row, patch: agentChangeOf(row, withoutFixed(approval.payload, patch)), source: "approval" } as const;
    const { changed, agent: revised } = await editAgent(change, keys, edit);
    if (changed.length > 0) change.record("agent.revised", row.id, { name: revised.name, changed });
    return { payload: hirePayload(revised), subject: hireSubject(revised) };
  },
});

function requireAgent(agent: AgentRow | null): AgentRow {
  if (agent === null) throw new Error("a hire without its agent");
  return agent;
}

/** What the proposal refers to may have gone since it was made; then the approval stays pending. */
async function requireStillPossible(change: Change, { reportsTo }: AgentRow): Promise<void> {
  if (reportsTo === null) return;
  const manager = await getAgent(change, reportsTo);
  if (manager.status !== "terminated") return;
  throw new Refusal(
    "wrong_state",
    `${manager.name}, to whom this agent would report, is terminated. Ask for a revision.`,
    {
      details: [{ path: "payload.reportsTo", message: "is terminated" }],
    },
  );
}

/**
 * The patch without what cannot be revised and is as it was: who sends the whole payload back, with what is to be
 * otherwise, names that too. Pure.
 */
function withoutFixed(payload: JsonObject, patch: JsonObject): JsonObject {
  const entries = Object.entries(patch);
  return Object.fromEntries(
    entries.filter(([name, value]) => name in hireRevision.shape || !isDeepStrictEqual(value, payload[name])),
  );
}

/** A merge patch of the payload as a change of the agent: what an agent's PATCH replaces whole is merged here. */
function agentChangeOf(row: AgentRow, patch: JsonObject): AgentChange {
  const wish = checked(hireRevision, patch, "payload");
  refuseSecrets(hireRevision, wish, "payload");
  const { permissions, instructionsBundle: bundle, ...rest } = wish;
  return {
    ...rest,
    ...(permissions !== undefined && {
      permissions: checked(agentPermissions, mergePatch(row.permissions, permissions), "payload.permissions"),
    }),
    ...(bundle !== undefined && {
      instructionsBundle:
        bundle === null
          ? null
          : checked(instructionsBundle, mergePatch(row.instructionsBundle, bundle), "payload.instructionsBundle"),
    }),
  };
}
