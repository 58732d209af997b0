/** Parts of the settings, each at an address of its own. */
export const sections = [
  ["company", "Company"],
  ["members", "Members"],
  ["secrets", "Secrets"],
  ["skills", "Skills"],
  ["runners", "Runners"],
  ["mode", "Mode"],
] as const;

/** The name of a part of the settings in its address. */
export type SectionKey = (typeof sections)[number][0];
