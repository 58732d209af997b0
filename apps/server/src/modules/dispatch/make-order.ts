import { commonSettings } from "@roster/adapter";
import { findAdapterSpec } from "@roster/adapters/specs";
import { type JsonObject, json, type RunOrder } from "@roster/contract";
import type { Scope } from "../../platform/scope.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { signCredential } from "../runs/index.ts";
import { environmentOf, revealSecrets, textsIn } from "../secrets/index.ts";
import { promptOf } from "./prompt.ts";
import { serviceEnvironment } from "./service-environment.ts";
import { findOrderParts, type OrderParts, slugsOf } from "./store.ts";

/** What orders are made with. */
export interface OrderNeeds {
  readonly keys: Keys;
  /** Where agents reach this server. */
  readonly address: () => string;
}

/** The order of a run that is claimed: the same each time, for the same claim. Null when it is claimed no more. */
export async function makeOrder(scope: Scope, needs: OrderNeeds, runId: string): Promise<RunOrder | null> {
  const parts = await findOrderParts(scope, runId);
  const claimedAt = parts?.run.claimedAt ?? null;
  if (parts === null || claimedAt === null) return null;
  const { run, content } = parts;
  const { env: stored = {}, ...settings } = settingsOf(content);
  const environment = stored as JsonObject;
  const revealed = await revealSecrets(scope, needs.keys, environment, run.secretVersions);
  const limits = limitsOf(settings);
  const lastsSec = limits.startSec + limits.wallSec + limits.graceSec;
  const credential = await signCredential(needs.keys, run, { claimedAt, lastsSec });
  return {
    runId,
    epoch: run.epoch,
    companyId: run.companyId,
    agentId: run.agentId,
    adapterType: content.adapterType,
    adapterConfig: settings,
    env: { ...Object.fromEntries(textsIn(environmentOf(environment))), ...Object.fromEntries(revealed) },
    service: serviceEnvironment(parts, { url: needs.address(), credential }),
    secrets: [...revealed.values(), credential],
    replaces: run.retryOf,
    prompt: promptOf(parts),
    instructions: content.instructionsBundle,
    skills: await skillsOf(scope, content),
    capMicros: capOf(parts),
    session: parts.session,
    limits,
  };
}

/** What the run may cost, if its program can keep to that: what it was granted, else what one run of its agent may. */
function capOf({ hold }: OrderParts): number | null {
  if (hold === null) return null;
  return hold.heldMicros > 0 ? hold.heldMicros : hold.capMicros;
}

/** The settings with their defaults. What was good when it was stored is good here. */
function settingsOf({ adapterType, adapterConfig }: OrderParts["content"]): JsonObject {
  const settings = findAdapterSpec(adapterType)?.settings ?? commonSettings;
  return json.parse(settings.parse(adapterConfig));
}

const limitSettings = commonSettings.pick({
  startTimeoutSec: true,
  silenceTimeoutSec: true,
  timeoutSec: true,
  graceSec: true,
});

/** Where an adapter has no setting for silence, a program may be silent for as long as it may run. */
function limitsOf(settings: JsonObject): RunOrder["limits"] {
  const { startTimeoutSec, silenceTimeoutSec, timeoutSec, graceSec } = limitSettings.parse(settings);
  const silenceSec = "silenceTimeoutSec" in settings ? silenceTimeoutSec : timeoutSec;
  return { startSec: startTimeoutSec, silenceSec, wallSec: timeoutSec, graceSec };
}

async function skillsOf(scope: Scope, { skills }: OrderParts["content"]): Promise<RunOrder["skills"]> {
  const slugs = await slugsOf(
    scope,
    skills.map(({ key }) => key),
  );
  return skills.map(({ key, contentHash }) => ({ key, contentHash, slug: slugs.get(key) ?? key.replaceAll("/", "-") }));
}
