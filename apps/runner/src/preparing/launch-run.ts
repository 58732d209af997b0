import { type Adapter, type AdapterOrder, SettingsError } from "@roster/adapter";
import { env, type RunOrder } from "@roster/contract";
import { hostEnvironment } from "../host-environment.ts";
import { type StartOutcome, startRun } from "../start-run.ts";
import { UnfitOrderError } from "./inside.ts";
import { type PreparedFiles, type Preparing, prepareFiles } from "./prepare-files.ts";

/**
 * Prepares a run and starts its program: the folder, the files, the environment. That of the host comes first, then
 * what the adapter adds, then the agent's own, and last what the service says, which nobody can say otherwise. What an
 * order has wrong is an outcome; throws the signal's reason once that is aborted, and what the server refuses.
 */
export async function launchRun(order: RunOrder, adapter: Adapter, preparing: Preparing): Promise<StartOutcome> {
  try {
    const files = await prepareFiles(order, preparing);
    preparing.signal.throwIfAborted();
    const told = adapterOrderOf(order, files);
    const program = adapter.program(told);
    return await startRun({
      runId: order.runId,
      folder: preparing.home.spool(order.runId),
      command: program.command,
      args: program.args,
      cwd: files.cwd,
      env: { ...hostEnvironment(process.env), ...program.env, ...order.env, ...told.service },
      stdin: program.stdin,
    });
  } catch (error) {
    if (error instanceof UnfitOrderError || error instanceof SettingsError) {
      return { kind: "failed", cause: "adapter_misconfigured", message: error.message };
    }
    throw error;
  }
}

/** What the adapter is told of a run whose files are there. Pure. */
export function adapterOrderOf(order: RunOrder, files: PreparedFiles): AdapterOrder {
  const { instructionsFile, skillsFolder, cwd } = files;
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
  };
}
