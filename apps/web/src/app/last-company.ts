const kept = "roster.company";

/** The prefix of the company that was looked at last in this browser. */
export const lastCompany = (): string | null => localStorage.getItem(kept);

/** Remembers it. */
export const keepCompany = (prefix: string): void => localStorage.setItem(kept, prefix);
