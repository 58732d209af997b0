/** A month in UTC, as addresses name it: 2026-11. */
export type Month = string;

const pattern = /^(20\d\d)-(0[1-9]|1[0-2])$/;
const named = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

/** The month of a moment. Pure. */
export const monthOf = (moment: Date): Month => moment.toISOString().slice(0, 7);

/** The month that an address names; the present one where it names none, or one that has not come. Pure. */
export function monthIn(given: string | undefined, present: Month): Month {
  return given !== undefined && pattern.test(given) && given < present ? given : present;
}

/** The month so many months later, or earlier. Pure. */
export function monthAfter(month: Month, count: number): Month {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + count, 1)));
}

/** First and last day. Pure. */
export function daysOf(month: Month): { readonly from: string; readonly to: string } {
  const next = Date.parse(`${monthAfter(month, 1)}-01T00:00:00Z`);
  return { from: `${month}-01`, to: new Date(next - 86_400_000).toISOString().slice(0, 10) };
}

/** Its name, such as November 2026. Pure. */
export const nameOf = (month: Month): string => named.format(new Date(`${month}-01T00:00:00Z`));
