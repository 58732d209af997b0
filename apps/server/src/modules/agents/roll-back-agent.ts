import type { Change } from "../../platform/change.ts";
import { requireVersion } from "../../platform/edit.ts";
import { requireChangeable, type Target } from "./change-agent.ts";
import { checkAnew } from "./check-anew.ts";
import { contentOf } from "./content.ts";
import { followLimit } from "./follow-limit.ts";
import { keepTimer } from "./keep-timer.ts";
import { recordRevision } from "./record-revision.ts";
import { getRevision, type RevisionRow } from "./revision-store.ts";
import { type AgentRow, lockAgent, updateAgent } from "./store.ts";

/**
 * Makes an earlier revision the present one, as a new revision. Everything a revision refers to (secrets' versions,
 * skills' versions) is kept for good, so nothing it holds can be missing.
 */
export async function rollBackAgent(
  change: Change,
  target: Target,
  revisionId: string,
): Promise<{ agent: AgentRow; revision: RevisionRow }> {
  const row = await lockAgent(change, target.agentId);
  requireVersion(row.version, target.ifMatch);
  requireChangeable(row);
  const wanted = await getRevision(change, row.id, revisionId);
  const { skills, ...content } = contentOf(wanted.content);
  const updated = await updateAgent(change, row, {
    ...content,
    skills: [...skills],
    revisionNumber: row.revisionNumber + 1,
  });
  const agent = await followLimit(change, row, updated);
  await keepTimer(change, row, agent);
  const revision = await recordRevision(change, agent, row, "rollback");
  change.record("agent.rolled_back", row.id, {
    name: row.name,
    toRevision: wanted.number,
    revision: revision.number,
  });
  return { agent: await checkAnew(change, agent, revision), revision };
}
