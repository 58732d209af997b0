import type { AgentProposal } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { queueSignal } from "../../platform/signals.ts";
import { resolveSkills } from "../skills/index.ts";
import { instructionsOf, requireSettings } from "./behaviour.ts";
import { keepTimer } from "./keep-timer.ts";
import { revisionOf } from "./record-revision.ts";
import { requireManager } from "./reporting.ts";
import { restoredSettings, secureSettings } from "./secure-settings.ts";
import { type AgentRow, type AgentValues, insertAgent, takenUrlKeys } from "./store.ts";
import { urlKeyCandidate } from "./url-key.ts";

const mostCandidates = 10_000;

/**
 * Adds an agent with its first revision, in the state it begins in. Its references are checked, its secrets are moved
 * into the store. Records no entry: who asks for the agent says how it came to be.
 */
export async function addAgent(
  change: Change,
  keys: Keys,
  proposal: AgentProposal,
  status: "idle" | "pending_approval",
): Promise<AgentRow> {
  const { desiredSkills, sourceIssueId, sourceIssueIds, ...values } = proposal;
  requireSettings(proposal.adapterType, restoredSettings(undefined, proposal.adapterConfig));
  if (proposal.reportsTo !== null) await requireManager(change, proposal.reportsTo, null);
  const skills = await resolveSkills(change, desiredSkills);
  const urlKey = await freeUrlKey(change, proposal.name);
  const adapterConfig = await secureSettings(change, keys, {
    adapterConfig: proposal.adapterConfig,
    owner: urlKey,
    boardDecides: status === "pending_approval",
  });
  const agent: AgentValues = {
    ...values,
    companyId: change.companyId,
    id: newId(),
    urlKey,
    adapterConfig,
    instructionsBundle: instructionsOf(values.instructionsBundle, adapterConfig),
    skills: skills.map(({ key, contentHash }) => ({ key, contentHash })),
    revisionNumber: 1,
    sourceIssueId: sourceIssueId ?? sourceIssueIds[0] ?? null,
    sourceIssueIds: allSources(sourceIssueId, sourceIssueIds),
    status,
    pauseReason: null,
    failureCode: null,
    failureCount: 0,
    lastHeartbeatAt: null,
    version: 1,
    createdAt: change.now,
    updatedAt: change.now,
  };
  await insertAgent(change, agent, revisionOf(change, agent, null, "create"));
  await keepTimer(change, null, agent);
  change.announce(queueSignal);
  return { ...agent, spentMicros: 0, check: null };
}

/** Both ways of naming the issues that led to a hire, as one list without repetition. */
const allSources = (one: string | null, many: readonly string[]): string[] => [
  ...new Set(one === null ? many : [one, ...many]),
];

async function freeUrlKey(change: Change, name: string): Promise<string> {
  const taken = await takenUrlKeys(change, urlKeyCandidate(name, 0));
  for (let n = 0; n < mostCandidates; n += 1) {
    const candidate = urlKeyCandidate(name, n);
    if (!taken.has(candidate)) return candidate;
  }
  throw new Refusal("already_exists", "Too many agents of this company have this name; choose another.", {
    details: [{ path: "name", message: "is used too often" }],
  });
}
