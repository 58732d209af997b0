/** The object that a line of JSON is; null when it is anything else. Never throws. Pure. */
export function jsonLine(text: string): Readonly<Record<string, unknown>> | null {
  // Most lines are none, and parsing tells so by throwing, which is slow.
  if (!/^\s*\{/.test(text)) return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
