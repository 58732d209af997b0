/**
 * The n-th candidate for the issue prefix of a company of this name: capital letters of its first words, then with a
 * number. Pure; the database decides which candidate is free.
 */
export function issuePrefixCandidate(name: string, n: number): string {
  const letters = name
    .normalize("NFD")
    .toUpperCase()
    .replace(/[^A-Z0-9 ]/g, "")
    .trim();
  const words = letters.split(/ +/).filter((word) => /^[A-Z]/.test(word));
  const initials = words.map((word) => word[0]).join("");
  const base = (words.length > 1 ? initials : (words[0] ?? "")).slice(0, 3).padEnd(2, "X");
  return n === 0 ? base : `${base}${n + 1}`;
}
