import { type AgentChange, type ConfigChange, configChangeRevision, type JsonObject } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { refuseSecrets } from "../../platform/http/index.ts";
import { Refusal, within } from "../../platform/refusal.ts";
import { checked } from "../../platform/schema-check.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { type AgentRow, editAgent, getAgent, lockAgent, proposeChange } from "../agents/index.ts";
import type { Proposal, QuestionEffects } from "./effects.ts";

/** A proposed change as it is stored. */
interface StoredChange {
  readonly agentId: string;
  readonly baseRevision: number;
  readonly patch: AgentChange;
}

const patchPath = "payload.patch";

/** Changes of agents that the board decides about: approved, one is made at once, as a revision of its agent. */
export const configChangeEffects = (keys: Keys): QuestionEffects<ConfigChange> => ({
  async ask(change, { agentId, baseRevision, patch }) {
    await getAgent(change, agentId, "payload.agentId");
    const row = await lockAgent(change, agentId);
    const proposal = await proposalOf(change, keys, row, { baseRevision, patch });
    return { ...proposal, agentId: row.id };
  },
  async approve(change, { payload }, agent) {
    const row = requireAgent(agent);
    // What is stored was made by proposalOf.
    const { baseRevision, patch } = payload as unknown as StoredChange;
    requireAlive(row);
    requireBase(row, baseRevision);
    const edit = { row, patch, source: "approval" } as const;
    const { changed, agent: after } = await stillPossible(() => editAgent(change, keys, edit));
    if (changed.length > 0) change.record("agent.changed", row.id, { name: after.name, changed });
  },
  drop: () => Promise.resolve(),
  async resubmit(change, { approval, agent, patch }) {
    const wish = checked(configChangeRevision, patch, "payload");
    refuseSecrets(configChangeRevision, wish, "payload");
    const stored = approval.payload as unknown as StoredChange;
    // Made again for the agent as it is now: that is what the board is asked about.
    return proposalOf(change, keys, requireAgent(agent), { ...wish, patch: wish.patch ?? stored.patch });
  },
});

async function proposalOf(
  change: Change,
  keys: Keys,
  row: AgentRow,
  wish: { readonly baseRevision?: number | undefined; readonly patch: AgentChange },
): Promise<Proposal> {
  if (wish.baseRevision !== undefined) requireBase(row, wish.baseRevision);
  const { patch, differences } = await within(patchPath, () => proposeChange(change, keys, row, wish.patch));
  const payload = { agentId: row.id, agentName: row.name, baseRevision: row.revisionNumber, patch, differences };
  return {
    payload: JSON.parse(JSON.stringify(payload)) as JsonObject,
    subject: `change ${Object.keys(patch).join(", ")} of ${row.name}`,
  };
}

function requireAgent(agent: AgentRow | null): AgentRow {
  if (agent === null) throw new Error("a proposed change without its agent");
  return agent;
}

function requireAlive({ name, status }: AgentRow): void {
  if (status !== "terminated") return;
  throw new Refusal("wrong_state", `${name} is terminated; nothing in it changes any more. Reject the proposal.`, {
    details: [{ path: "payload.agentId", message: "is terminated" }],
  });
}

function requireBase({ name, revisionNumber }: AgentRow, baseRevision: number): void {
  if (baseRevision === revisionNumber) return;
  throw new Refusal(
    "stale_revision",
    `This was proposed for revision ${baseRevision} of ${name}, which is at revision ${revisionNumber} by now. It has to be proposed for that one.`,
    {
      details: [{ path: "payload.baseRevision", message: `the present revision is ${revisionNumber}` }],
      inBody: true,
    },
  );
}

/** What a proposal refers to may have gone since it was made; then the approval stays pending. */
async function stillPossible<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await within(patchPath, work);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, details } = error;
    throw new Refusal("wrong_state", `It cannot be made any more: ${message}`, { details });
  }
}
