/** How the story is told: plain lines, each with who speaks, wrapped so that they can be read in any terminal. */
const width = 110;
const speakerWidth = 9;

/** Writes lines as they are. */
export function print(...lines) {
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** A new part of the story: its title, and a paragraph that says what it shows. */
export function part(title, about) {
  print("", title, "=".repeat(title.length), "", ...wrap(about, width), "");
}

/** One sentence of somebody. */
export function speak(speaker, sentence) {
  const [first, ...rest] = wrap(sentence, width - speakerWidth - 2);
  print(`  ${speaker.padEnd(speakerWidth)}${first}`, ...rest.map((line) => " ".repeat(speakerWidth + 2) + line));
}

/** Rows as a table: columns as wide as they need, the last one open. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const indent = " ".repeat(speakerWidth + 2);
  print(
    ...rows.map((row) => `${indent}${row.map((cell, column) => cell.padEnd(widths[column])).join("  ")}`.trimEnd()),
  );
}

/** A paragraph as it stands: text from elsewhere, line by line. */
export function quote(text) {
  const lines = text.trimEnd().split("\n");
  print(...lines.map((line) => `${" ".repeat(speakerWidth + 2)}| ${line}`));
}

/** A text in lines of at most `most` characters; a longer word has a line of its own. Pure. */
export function wrap(text, most) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= most) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
