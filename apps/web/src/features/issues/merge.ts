/** What people write in an issue. */
export interface Written {
  readonly title: string;
  readonly description: string;
}
/** Something that people write in an issue. */
export type WrittenField = keyof Written;

const fields: readonly WrittenField[] = ["title", "description"];

/** Two texts that began as one, put together. */
export interface Merge {
  /** What only one of the two changed, as it was changed; what both did, as I wrote it. */
  readonly merged: Written;
  /** What both changed, and not to the same. */
  readonly conflicts: readonly WrittenField[];
  /** What only they changed. */
  readonly theirs: readonly WrittenField[];
}

/** Puts together what I wrote and what they wrote meanwhile, field by field. Pure. */
export function mergeOf(base: Written, mine: Written, theirs: Written): Merge {
  const differs = (one: Written, other: Written) => (field: WrittenField) => one[field] !== other[field];
  const byMe = fields.filter(differs(base, mine));
  const byThem = fields.filter(differs(base, theirs));
  const pick = (field: WrittenField): string => (byMe.includes(field) ? mine[field] : theirs[field]);
  return {
    merged: { title: pick("title"), description: pick("description") },
    conflicts: byMe.filter((field) => byThem.includes(field) && mine[field] !== theirs[field]),
    theirs: byThem.filter((field) => !byMe.includes(field)),
  };
}

/** What of this differs from what was there: all that has to be sent. Pure. */
export function changedIn(present: Written, wanted: Written): Partial<Written> {
  return Object.fromEntries(fields.filter((field) => present[field] !== wanted[field]).map((f) => [f, wanted[f]]));
}
