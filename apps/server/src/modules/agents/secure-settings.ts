import type { JsonObject } from "@roster/contract";
import type { Change } from "../../platform/change.ts";
import { secretInText } from "../../platform/http/index.ts";
import { differences } from "../../platform/json-difference.ts";
import { Refusal } from "../../platform/refusal.ts";
import { type Keys, redact, restorePlaceholders } from "../../platform/secrets/index.ts";
import { moveSecretsOut } from "../secrets/index.ts";

/** An adapter configuration on its way into the database. */
export interface IncomingSettings {
  readonly adapterConfig: JsonObject;
  /** The agent's urlKey; its secrets are named after it. */
  readonly owner: string;
  /** What the agent has at present. */
  readonly previous?: JsonObject | undefined;
  /** Nothing of it takes effect before the board approves. */
  readonly boardDecides: boolean;
}

/**
 * The configuration as it may be stored: secrets of `env` are in the company's secret store and referred to; a secret
 * anywhere else is refused, so that whatever redaction would hide is never stored in clear.
 */
export async function secureSettings(change: Change, keys: Keys, incoming: IncomingSettings): Promise<JsonObject> {
  const { env, ...settings } = incoming.adapterConfig;
  const [hidden] = differences(settings, redact(settings) as JsonObject);
  if (hidden !== undefined) throw secretInText(`adapterConfig.${hidden.path}`, "by its name or form");
  if (env === undefined) return settings;
  const { owner, boardDecides } = incoming;
  const previous = incoming.previous?.["env"] as JsonObject | undefined;
  const moved = await moveSecretsOut(change, keys, { env: env as JsonObject, owner, previous, boardDecides });
  return { ...settings, env: moved };
}

/** A patch of the configuration with `[redacted]` put back to what it stands for; refused where it stands for nothing. */
export function restoredSettings(present: JsonObject | undefined, patch: JsonObject): JsonObject {
  const restored = restorePlaceholders(present, patch);
  if (restored.ok) return restored.value as JsonObject;
  const path = `adapterConfig.${restored.path}`;
  throw new Refusal("redacted_placeholder", `"${path}" is a placeholder for nothing that is stored there.`, {
    details: [{ path, message: "send the value itself, or leave it out to keep what is there" }],
  });
}
