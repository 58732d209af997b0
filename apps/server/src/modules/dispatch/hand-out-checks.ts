import type { CheckOrder, JsonObject } from "@roster/contract";
import type { Database, Reader } from "../../platform/database/index.ts";
import { type Checker, listChecks, takeChecks, type WaitingCheck } from "../agents/index.ts";

/** Takes at most `limit` checks for a runner: of agents whose runs it could take. */
export async function handOutChecks(
  database: Database,
  db: Reader,
  { checker, limit }: { checker: Checker; limit: number },
): Promise<CheckOrder[]> {
  if (limit === 0) return [];
  const taken = await takeChecks(database, await listChecks(db, checker, limit));
  return taken.map(orderOf);
}

/** What is to be looked at. The values of secrets are none of a check's concern, only that they are there. Pure. */
function orderOf({ companyId, agentId, revisionId, status, content }: WaitingCheck): CheckOrder {
  const { env = {}, ...settings } = content.adapterConfig;
  const shown = Object.entries(env as JsonObject).map(([name, value]) => [name, textOf(value)]);
  const adapterConfig = { ...settings, env: Object.fromEntries(shown) as JsonObject };
  const { adapterType } = content;
  return { companyId, agentId, revisionId, adapterType, adapterConfig, mayAsk: status !== "pending_approval" };
}

function textOf(value: JsonObject[string]): string {
  if (typeof value === "string") return value;
  const plain = typeof value === "object" && value !== null && "value" in value ? value["value"] : "";
  return typeof plain === "string" ? plain : "";
}
