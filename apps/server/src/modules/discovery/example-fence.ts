// Lines that no JSON and no sentence contains, so that a reader or a test can cut the example out exactly.
const begin = "==== BEGIN EXAMPLE BODY ====";
const end = "==== END EXAMPLE BODY ====";

/** An example as JSON between its fence lines. */
export function fence(example: unknown): string {
  return [begin, JSON.stringify(example, null, 2), end].join("\n");
}

/** The example body of a discovery document, parsed. Throws when the document has none. */
export function cutExample(document: string): unknown {
  const lines = document.split("\n");
  const from = lines.indexOf(begin);
  const to = lines.indexOf(end);
  if (from < 0 || to < from) throw new Error("The document has no example between fence lines");
  return JSON.parse(lines.slice(from + 1, to).join("\n"));
}
