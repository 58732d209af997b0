import { daysOf, type Month } from "./month.ts";

interface Day {
  readonly day: string;
  readonly costCents: number;
}

// Most whole days that a forecast looks back.
const mostDaysBack = 7;
const dayMs = 86_400_000;

/** The rule, as it stands on the page. */
export const forecastRule = `What was spent, and for the rest of the month as much a day as in the mean of the last ${mostDaysBack} whole days of it.`;

/**
 * What a month will have cost in cents: what was spent, and for each day to come the mean of the last whole days of the
 * month, at most seven; for today whichever is more. Null until the first day of it is over. Pure.
 */
export function forecast(days: readonly Day[], month: Month, today: string): number | null {
  const { from, to } = daysOf(month);
  if (today <= from || today > to) return null;
  const spentOn = new Map(days.map(({ day, costCents }) => [day, costCents]));
  const spent = days.filter(({ day }) => day < today).reduce((sum, { costCents }) => sum + costCents, 0);
  const back = Math.min(mostDaysBack, daysBetween(from, today));
  const recent = Array.from({ length: back }, (_, index) => spentOn.get(dayBefore(today, index + 1)) ?? 0);
  const mean = recent.reduce((sum, cents) => sum + cents, 0) / back;
  return Math.round(spent + Math.max(spentOn.get(today) ?? 0, mean) + mean * daysBetween(today, to));
}

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
const dayBefore = (day: string, count: number): string =>
  new Date(Date.parse(day) - count * dayMs).toISOString().slice(0, 10);
