import type { Outcome } from "./measure.ts";
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

/** A value against its aim, if it has one. */
export function judged(what: string, measured: number | null, unit: string, aim: Verdict["aim"]): Verdict {
  if (aim === null || measured === null) return { what, measured, unit, aim, met: null };
  const met = "atMost" in aim ? measured <= aim.atMost : measured >= aim.atLeast;
  return { what, measured, unit, aim, met };
}
