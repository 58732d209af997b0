/** The name of a metric of ours among those of other programs. */
export const metricName = (name: string): string => `roster_${name}`;
