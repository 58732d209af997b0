import type { Scope } from "../../platform/scope.ts";
import type { Keys } from "../../platform/secrets/index.ts";
import { revealSecrets } from "../secrets/index.ts";
import { getRunEnvironment } from "./context-store.ts";

/** The values of the secrets that a run was started with, in no order: what must not be kept of what it tells. */
export async function secretsOfRun(scope: Scope, keys: Keys, runId: string): Promise<string[]> {
  const { env, secretVersions } = await getRunEnvironment(scope, runId);
  return [...(await revealSecrets(scope, keys, env, secretVersions)).values()];
}
