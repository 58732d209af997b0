import type { AgentChange, JsonObject } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { newId } from "../../platform/ids.ts";
import { differences, type JsonDifference } from "../../platform/json-difference.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { changesOf, requireChangeable } from "./change-agent.ts";
import { contentDifferences, contentOf, redactedContent } from "./content.ts";
import { restoredSettings } from "./secure-settings.ts";
import type { AgentRow } from "./store.ts";
import type { Content } from "./table.ts";

/** A change of an agent as it may be shown and stored until somebody decides about it. */
export interface ProposedChange {
  /** Its secrets are references. */
  readonly patch: AgentChange;
  /** What it would change of the agent as it is now. */
  readonly differences: readonly JsonDifference[];
}

/**
 * Checks a change of a locked agent without making it. Its secrets go into the company's store under a name of their
 * own: under the agent's, whoever proposes would give a new value to what the agent refers to already.
 */
export async function proposeChange(
  change: Change,
  keys: Keys,
  row: AgentRow,
  patch: AgentChange,
): Promise<ProposedChange> {
  requireChangeable(row);
  const secretsOf = { owner: `${row.urlKey}/proposed/${newId()}`, boardDecides: true };
  const { identity, behaviour } = await changesOf(change, keys, { row, patch, secretsOf });
  const found = [...identityDifferences(row, identity), ...behaviourDifferences(row, behaviour)];
  if (found.length === 0) {
    throw new Refusal("wrong_state", `This would change nothing: ${row.name} is like this already.`, {
      details: [{ path: "", message: "holds nothing that the agent does not have" }],
    });
  }
  return { patch: withoutSecrets(row, patch, behaviour), differences: found };
}

function identityDifferences(row: AgentRow, identity: Partial<AgentRow>): JsonDifference[] {
  const before = Object.fromEntries(Object.keys(identity).map((name) => [name, row[name as keyof AgentRow]]));
  return differences(before as JsonObject, identity as JsonObject);
}

const behaviourDifferences = (row: AgentRow, behaviour: Partial<Content>): JsonDifference[] =>
  contentDifferences(redactedContent(contentOf(row)), redactedContent({ ...contentOf(row), ...behaviour }));

/** The patch with every entry of its environment as it is stored. Pure. */
function withoutSecrets(row: AgentRow, patch: AgentChange, { adapterConfig }: Partial<Content>): AgentChange {
  if (patch.adapterConfig === undefined) return patch;
  const isSameAdapter = (patch.adapterType ?? row.adapterType) === row.adapterType;
  const restored = restoredSettings(isSameAdapter ? row.adapterConfig : undefined, patch.adapterConfig);
  const env = restored["env"];
  if (!isMembers(env)) return { ...patch, adapterConfig: restored };
  const stored = (adapterConfig ?? row.adapterConfig)["env"];
  const entries = Object.entries(env).map(([name, entry]): [string, JsonObject[string]] => [
    name,
    entry === null || !isMembers(stored) ? null : (stored[name] ?? null),
  ]);
  return { ...patch, adapterConfig: { ...restored, env: Object.fromEntries(entries) } };
}

const isMembers = (value: JsonObject[string] | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
