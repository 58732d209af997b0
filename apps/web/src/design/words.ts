/** An identifier of the contract as people read it: `in_progress` is "In progress". Pure. */
export function wordsOf(identifier: string): string {
  const words = identifier.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
