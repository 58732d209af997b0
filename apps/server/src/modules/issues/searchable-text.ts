/** Fewest characters that the trigram index can find inside a word. */
const shortestInside = 3;
const codeLetters = 4;

/**
 * A text in the form in which issues are searched: small letters and digits stay, white space becomes one space, every
 * other character four capital letters. The trigram index sees ASCII alone, and punctuation not at all; in this form it
 * finds any text in any script. The case tells letters that were there from those that stand for a character. Pure.
 */
export function searchableText(text: string): string {
  const plain = text.normalize("NFKC").toLowerCase();
  return plain.replace(/\s+/g, " ").replace(/[^a-z0-9 ]/g, (character) => codeOf(character.charCodeAt(0)));
}

const codeOf = (unit: number): string =>
  Array.from({ length: codeLetters }, (_, place) =>
    String.fromCharCode(0x41 + (Math.floor(unit / 26 ** (codeLetters - 1 - place)) % 26)),
  ).join("");

/** Stands in a searchable text where the database is to put the issue's number. No such text can hold it otherwise. */
export const numberMark = "#";

/**
 * What is searched of an issue: its number alone, so that 12 finds ACM-12, then its identifier, title and description.
 * Of the identifier only the prefix matters. Pure.
 */
export function searchableIssue(issue: { identifier: string; title: string; description: string | null }): string {
  const prefix = issue.identifier.slice(0, issue.identifier.indexOf("-") + 1);
  const words = searchableText(`${issue.title} ${issue.description ?? ""}`);
  return ` ${numberMark} ${searchableText(prefix)}${numberMark} ${words}`;
}

/**
 * The `like` pattern for what a person searched. One or two letters would match nearly everything, and the index could
 * not say where; they are looked for at the beginnings of words, which it can. Pure.
 */
export function searchPattern(searched: string): string {
  const text = searchableText(searched);
  return text.length < shortestInside ? `% ${text}%` : `%${text}%`;
}
