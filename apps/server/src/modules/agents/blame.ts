import type { Blame, JsonObject } from "@roster/contract";
import { Refusal } from "../../platform/refusal.ts";
import { choiceDetail } from "../../platform/schema-check.ts";
import type { Scope } from "../../platform/scope.ts";
import { contentOf, plainContent, redactedContent } from "./content.ts";
import { presentRevision } from "./present-configuration.ts";
import { findRevisionBehind } from "./revision-store.ts";
import { getAgent } from "./store.ts";

type Json = JsonObject[string];

/** Which revision made a field of an agent's configuration what it is. Refuses a path that never named anything. */
export async function blame(scope: Scope, agentId: string, path: string): Promise<Blame> {
  const content = plainContent(redactedContent(contentOf(await getAgent(scope, agentId))));
  const value = valueAt(content, path);
  const revision = await findRevisionBehind(scope, agentId, path);
  if (revision === null || (value === undefined && revision.number === 1)) throw namesNothing(content, path);
  return { path, value: value ?? null, revision: presentRevision(revision) };
}

/** Names of members may themselves have dots in them, as files do; the longest that fits is taken. Pure. */
function valueAt(at: Json | undefined, path: string): Json | undefined {
  if (typeof at !== "object" || at === null || Array.isArray(at)) return undefined;
  if (Object.hasOwn(at, path)) return at[path];
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const name = path.slice(0, dot);
    const found = Object.hasOwn(at, name) ? valueAt(at[name], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function namesNothing(content: JsonObject, path: string): Refusal {
  const [first = ""] = path.split(".");
  const names = Object.keys(content);
  const detail = names.includes(first)
    ? { path: "path", message: "names nothing that this agent has, or ever had, in its configuration" }
    : { ...choiceDetail("path", names, first), message: "must begin with a field of the configuration" };
  return new Refusal("invalid_request", `"path" ${detail.message}.`, { details: [detail] });
}
