/** Something that is wrong, and in which case it showed. */
export interface Finding {
  /** Caller and case. */
  readonly at: string;
  readonly fault: string;
}

/** Findings of one case. */
export const findingsAt = (at: string, faults: readonly string[]): Finding[] => faults.map((fault) => ({ at, fault }));

const mostNamed = 3;

/** A sentence for each fault, with the first cases in which it showed. */
export function sentencesOf(findings: readonly Finding[]): string[] {
  const cases = new Map<string, string[]>();
  for (const { at, fault } of findings) cases.set(fault, [...(cases.get(fault) ?? []), at]);
  return [...cases].map(([fault, at]) => {
    const rest = at.length > mostNamed ? `, and ${at.length - mostNamed} more` : "";
    return `${fault}\n    (${at.slice(0, mostNamed).join("; ")}${rest})`;
  });
}
