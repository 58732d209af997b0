import { type Adapter, type AdapterOrder, SettingsError } from "@roster/adapter";
import { env, type RunOrder } from "@roster/contract";
import { hostEnvironment, ownEnvironment } from "../host-environment.ts";
import type { Offsets } from "../spool.ts";
import { type StartOutcome, startRun } from "../start-run.ts";
import { UnfitOrderError } from "./inside.ts";
import { type PreparedFiles, type Preparing, prepareFiles } from "./prepare-files.ts";
import { putInPlace } from "./put-in-place.ts";

/** With what a program is started; `from` where it is a fresh start, after one whose outputs end there. */
export type Launching = Preparing & { readonly from?: Offsets };

/**
 * Prepares a run and starts its program: the folder, the files, the environment. That of the host comes first, then
 * what the adapter adds, then the agent's own, and last what the service says, which nobody can say otherwise. What an
 * order has wrong is an outcome; throws the signal's reason once that is aborted, and what the server refuses.
 */
export async function launchRun(order: RunOrder, adapter: Adapter, preparing: Launching): Promise<StartOutcome> {
  const { from } = preparing;
  try {
    const files = await prepareFiles(order, preparing);
    preparing.signal.throwIfAborted();
    const told = adapterOrderOf(order, files);
    const program = adapter.program(told);
    await putInPlace(program.places ?? [], files.ownFolder);
    preparing.signal.throwIfAborted();
    return await startRun({
      runId: order.runId,
      folder: preparing.home.spool(order.runId),
      command: program.command,
      args: program.args,
      cwd: program.isOurs ? files.ownFolder : files.cwd,
      env: program.isOurs
        ? { ...ownEnvironment(process.env), ...program.env, ...told.service }
        : { ...hostEnvironment(process.env), ...program.env, ...order.env, ...told.service },
      stdin: program.stdin,
      ...(from && { from }),
    });
  } catch (error) {
    if (error instanceof UnfitOrderError || error instanceof SettingsError) {
      return { kind: "failed", cause: "adapter_misconfigured", message: error.message };
    }
    throw error;
  }
}

/** What the adapter is told of a run whose files are there. */
export function adapterOrderOf(order: RunOrder, files: PreparedFiles): AdapterOrder {
  const { instructionsFile, skillsFolder, ownFolder, cwd } = files;
  return {
    settings: order.adapterConfig,
    prompt: order.prompt,
    runId: order.runId,
    companyId: order.companyId,
    agentId: order.agentId,
    cwd,
    service: {
      ...order.service,
      ...(instructionsFile !== null && { [env("INSTRUCTIONS_FILE")]: instructionsFile }),
      ...(skillsFolder !== null && { [env("SKILLS_DIR")]: skillsFolder }),
    },
    instructionsFile,
    skillsFolder,
    environment: { ...hostEnvironment(process.env), ...order.env },
    ownFolder,
    session: order.session ?? null,
    capMicros: order.capMicros ?? null,
  };
}
