import type { Outcome } from "./measure.ts";
import type { RunFigures } from "./runs.ts";
import { scenarios } from "./scenarios.ts";
import type { StartFigures } from "./start.ts";

/** One measured value against what is aimed at. */
export interface Verdict {
  readonly what: string;
  /** Null where it could not be measured. */
  readonly measured: number | null;
  readonly unit: string;
  readonly aim: { readonly atMost: number } | { readonly atLeast: number } | null;
  /** Null without an aim, or without a value. */
  readonly met: boolean | null;
}

const megabyte = 1_000_000;

/** Start, memory and disk against their aims. */
export function startVerdicts({ firstStartSeconds, laterStartSeconds, idle, diskBytes }: StartFigures): Verdict[] {
  const megabytes = (bytes: number | null): number | null => bytes && bytes / megabyte;
  return [
    judged("first start", firstStartSeconds, "s", { atMost: 10 }),
    judged("later start", laterStartSeconds, "s", { atMost: 2 }),
    judged("server, idle", megabytes(idle.server), "MB", { atMost: 130 }),
    judged("launcher, idle", megabytes(idle.launcher), "MB", null),
    judged("database, idle", megabytes(idle.database), "MB", null),
    judged("production dependencies and build", megabytes(diskBytes.production), "MB", { atMost: 200 }),
    judged("with build and test tools", megabytes(diskBytes.withTools), "MB", { atMost: 450 }),
  ];
}

/** Runs against their aims, with the floor for comparison. */
export function runVerdicts(figures: RunFigures): Verdict[] {
  const { started, settled, perSecond, statements, serverBytes, runnerBytes, floor } = figures;
  const megabytes = (bytes: number | null): number | null => bytes && bytes / megabyte;
  return [
    judged("runs: wake to started, p50", started.p50Ms, "ms", { atMost: 20 }),
    judged("runs: wake to started, p99", started.p99Ms, "ms", null),
    judged("runs: wake to settled, p50", settled.p50Ms, "ms", null),
    judged("runs: wake to settled, p99", settled.p99Ms, "ms", null),
    judged("runs: bare spawn, p50", floor.p50Ms, "ms", null),
    judged("runs: settled per second", perSecond, "", { atLeast: 60 }),
    judged("runs: bare spawns per second", floor.perSecond, "", null),
    judged("runs: statements", statements, "", { atMost: 25 }),
    judged("runs: runner, most", megabytes(runnerBytes), "MB", { atMost: 90 }),
    judged("runs: server, most", megabytes(serverBytes), "MB", null),
  ];
}

/** One scenario against its aims. */
export function loadVerdicts(outcome: Outcome): Verdict[] {
  const aim = scenarios.find(({ name }) => name === outcome.scenario)?.aim;
  if (aim === undefined) return [];
  const of = `${outcome.scenario}, ${outcome.companies === 1 ? "one company" : `${outcome.companies} companies`}`;
  return [
    judged(`${of}: part of the floor`, outcome.ofFloor, "", { atLeast: aim.ofFloor }),
    ...(aim.perSecond === undefined
      ? []
      : [judged(`${of}: requests per second`, outcome.server.perSecond, "", { atLeast: aim.perSecond })]),
    ...(aim.statements === undefined
      ? []
      : [judged(`${of}: statements`, outcome.statements, "", { atMost: aim.statements })]),
  ];
}

function judged(what: string, measured: number | null, unit: string, aim: Verdict["aim"]): Verdict {
  if (aim === null || measured === null) return { what, measured, unit, aim, met: null };
  const met = "atMost" in aim ? measured <= aim.atMost : measured >= aim.atLeast;
  return { what, measured, unit, aim, met };
}
