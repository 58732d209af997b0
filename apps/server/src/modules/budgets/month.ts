/** The UTC month a moment counts in, such as `2026-11`. Pure. */
export const monthOf = (moment: Date): string => moment.toISOString().slice(0, 7);
