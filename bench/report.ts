import type { Figures, Outcome } from "./measure.ts";
import type { Verdict } from "./verdict.ts";

/** Figures of load, one row a scenario and number of companies, with the floor below each. */
export function loadTable(outcomes: readonly Outcome[]): string {
  const head = ["10 connections", "companies", "per second", "p50 ms", "p99 ms", "cpu µs", "of floor", "statements"];
  const rows = outcomes.flatMap(({ scenario, companies, server, floor, ofFloor, statements }) => [
    [scenario, String(companies), ...figureCells(server), ofFloor.toFixed(2), String(statements)],
    ["  floor", "", ...figureCells(floor), "", ""],
  ]);
  return aligned([head, ...rows]);
}

/** Every value that something is aimed at, and what was found. */
export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ what, measured, unit, aim, met }) => [
    what,
    measured === null ? "not measured" : `${rounded(measured)} ${unit}`.trim(),
    aimText(aim),
    met === null ? "" : metText(met),
  ]);
  return aligned([["", "measured", "aim", ""], ...rows]);
}

const metText = (met: boolean): string => (met ? "met" : "MISSED");

function figureCells({ perSecond, p50Ms, p99Ms, cpuMicros }: Figures): string[] {
  return [rounded(perSecond), p50Ms.toFixed(2), p99Ms.toFixed(2), rounded(cpuMicros)];
}

function aimText(aim: Verdict["aim"]): string {
  if (aim === null) return "";
  return "atMost" in aim ? `≤ ${rounded(aim.atMost)}` : `≥ ${rounded(aim.atLeast)}`;
}

const rounded = (value: number): string =>
  value >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString("en") : value.toFixed(2);

/** Columns side by side: the first to the left, the others to the right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}
