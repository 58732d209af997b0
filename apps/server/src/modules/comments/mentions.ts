/** Of more agents than this, only the first hear of a comment that mentions them. */
const mostMentions = 20;

const mention = /(?<![\w@./+-])@([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)(?![\w@])/g;

/**
 * The urlKeys that a markdown text mentions (`@ada`), each once, in their order. What stands in code is quoted, and what
 * stands in the middle of a word, as in an address of electronic mail, mentions nobody. Pure.
 */
export function mentionsIn(markdown: string): string[] {
  if (!markdown.includes("@")) return [];
  const found = Array.from(proseOf(markdown).matchAll(mention), ([, name = ""]) => name.toLowerCase());
  return [...new Set(found)].slice(0, mostMentions);
}

/** The text without its code, between fences and in a line. A fence that is never closed goes to the end. */
function proseOf(markdown: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split("\n")) {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && marks === undefined) lines.push(line);
    else if (fence === null) fence = marks ?? null;
    else if (marks?.startsWith(fence)) fence = null;
  }
  return lines.join("\n").replace(/`[^`\n]*`/g, "");
}
