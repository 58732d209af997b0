/** Cents as the dollars that a person types. Pure. */
export const dollarsOf = (cents: number): string =>
  cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);

/** Typed dollars in cents; null for what is no amount. Pure. */
export function centsOf(typed: string): number | null {
  const [, whole, part = ""] = /^\s*\$?\s*(\d{1,9})(?:[.,](\d{1,2}))?\s*$/.exec(typed) ?? [];
  if (whole === undefined) return null;
  return Number(whole) * 100 + Number(part.padEnd(2, "0"));
}
