import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { birthsSoFar } from "./births.ts";
import { findCommand } from "./find-command.ts";
import { bootId, identify, killOrphanedGroup } from "./process-identity.ts";
import { type RunRecord, readRecord, writeRecord } from "./run-record.ts";
import { eraseSpool, makeFreshInput, makeSpool, type Offsets, type Spool, spoolAt, withDescriptors } from "./spool.ts";
import { type SupervisedRun, supervise } from "./supervise.ts";
import { runIdVariable } from "./survivors.ts";
import { wrapperArguments, wrapperShell, wrapperVariables } from "./wrapper.ts";

/** A program to start for a run. */
export interface RunOrder {
  readonly runId: string;
  /** The spool's folder, which must not be there yet, but for a fresh start; its parent must. */
  readonly folder: string;
  readonly command: string;
  /** Everybody on the machine can read them: no secrets. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of the child's environment; only the run's id is added. */
  readonly env: Readonly<Record<string, string>>;
  /** What the program reads on its input; null for none. */
  readonly stdin: string | null;
  /** Of a start in the spool of one that could not go on with its session: where that one's outputs ended. */
  readonly from?: Offsets;
}

/** Why a program could not be started: a cause of the contract, and a sentence for people. */
export interface StartFailure {
  readonly kind: "failed";
  readonly cause: "adapter_missing" | "adapter_misconfigured" | "internal";
  readonly message: string;
}

/** What came of a start. */
export type StartOutcome = { readonly kind: "started"; readonly run: SupervisedRun } | StartFailure;

/**
 * Starts a program in a session of its own, with its outputs and its exit status going to files, so that it and they
 * outlive this process. When this resolves with a run, the record that a restarted runner needs has been written.
 */
export async function startRun(order: RunOrder): Promise<StartOutcome> {
  const unfit = await unfitness(order);
  if (unfit) return unfit;
  const found = await findCommand(order.command, order.env["PATH"], order.cwd);
  if (found.kind === "missing") return failed("adapter_missing", `The program "${order.command}" is not there.`);
  if (found.kind === "not_executable") return failed("adapter_missing", `The file ${found.path} is not executable.`);
  const spool = await spoolOf(order);
  try {
    return { kind: "started", run: await launch(order, spool, found.path) };
  } catch (error) {
    if (order.from === undefined) await eraseSpool(spool.folder);
    return failureOf(error as NodeJS.ErrnoException);
  }
}

async function spoolOf({ folder, from, stdin }: RunOrder): Promise<Spool> {
  const spool = spoolAt(folder, from === undefined ? "first" : "fresh");
  await (from === undefined ? makeSpool(spool, stdin) : makeFreshInput(spool, stdin));
  return spool;
}

async function unfitness({ cwd, env }: RunOrder): Promise<StartFailure | null> {
  const folder = await stat(cwd).catch(() => null);
  if (!folder?.isDirectory()) return failed("adapter_misconfigured", `The working folder ${cwd} is not a folder.`);
  const taken = wrapperVariables.find((name) => Object.hasOwn(env, name));
  if (taken === undefined) return null;
  // The program would silently get another value.
  return failed("adapter_misconfigured", `The environment variable "${taken}" is used by the runner; rename it.`);
}

async function launch(order: RunOrder, spool: Spool, path: string): Promise<SupervisedRun> {
  const { runId, from } = order;
  // A run may take only so long, with however many starts.
  const startedMs = from === undefined ? Date.now() : (readRecord(spoolAt(order.folder))?.startedMs ?? Date.now());
  const started: RunRecord = { runId, startedMs, bootId: bootId(), process: null, ...(from && { from }) };
  // Known by its folder before there is a process: whoever finds this looks for one that carries the run's id.
  writeRecord(spool, started);
  return await withDescriptors(spool, order.stdin !== null, async (stdio) => {
    const births = birthsSoFar();
    const child = spawn(wrapperShell, wrapperArguments({ statusFile: spool.status, path, args: order.args }), {
      cwd: order.cwd,
      env: { ...order.env, [runIdVariable]: order.runId },
      detached: true,
      stdio: [...stdio],
    });
    const gone = goneOf(child);
    if (child.pid === undefined) throw await spawnError(child);
    // No turn of the event loop has passed, so even a child that has ended already is still there to be looked at.
    const record = { ...started, process: identify(child.pid) };
    writeRecord(spool, record);
    return supervise(spool, record, gone, births === null ? null : { pid: child.pid, count: births });
  });
}

function goneOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => {
      // At once, while the number cannot have been given to others.
      killOrphanedGroup(child.pid ?? 0);
      resolve();
    });
  });
}

function spawnError(child: ChildProcess): Promise<Error> {
  return new Promise((resolve) => child.once("error", resolve));
}

function failed(cause: StartFailure["cause"], message: string): StartFailure {
  return { kind: "failed", cause, message };
}

function failureOf(error: NodeJS.ErrnoException): StartFailure {
  if (error.code === "E2BIG") {
    return failed("adapter_misconfigured", "Arguments and environment are longer than the system allows (E2BIG).");
  }
  if (error.code === "ERR_INVALID_ARG_VALUE") {
    return failed("adapter_misconfigured", "An argument or environment value contains a NUL character.");
  }
  return failed("internal", `The program could not be started (${error.code ?? error.name}).`);
}
