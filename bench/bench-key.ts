/** The master key of every server that is measured. */
export const benchKey = "11".repeat(32);
