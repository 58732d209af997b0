const context = 3;
/** Lines times lines that are compared; beyond it everything between what is common counts as replaced. */
const mostWork = 4_000_000;

interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

const lined = (sign: Line["sign"], texts: readonly string[]): Line[] => texts.map((text) => ({ sign, text }));
const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** How two texts differ, line by line, with a few lines around; empty when they do not. Pure. */
export function lineDifference(before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const room = Math.min(old.length, fresh.length) - start;
  while (end < room && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const lines = [
    ...lined(" ", old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...lined(" ", old.slice(old.length - end)),
  ];
  return shortened(lines)
    .map(({ sign, text }) => sign + text)
    .join("\n");
}

function middle(old: readonly string[], fresh: readonly string[]): Line[] {
  if (old.length * fresh.length > mostWork) return [...lined("-", old), ...lined("+", fresh)];
  const common = commonLengths(old, fresh);
  const at = (one: number, other: number): number => common[one]?.[other] ?? 0;
  const lines: Line[] = [];
  let [one, other] = [0, 0];
  while (one < old.length || other < fresh.length) {
    const [was, is] = [old[one], fresh[other]];
    if (was !== undefined && was === is) {
      lines.push({ sign: " ", text: was });
      one += 1;
      other += 1;
    } else if (was !== undefined && (is === undefined || at(one + 1, other) >= at(one, other + 1))) {
      lines.push({ sign: "-", text: was });
      one += 1;
    } else {
      lines.push({ sign: "+", text: is ?? "" });
      other += 1;
    }
  }
  return lines;
}

/** How many lines the rest of one has in common with the rest of the other, from each pair of places on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1));
  for (let one = old.length - 1; one >= 0; one -= 1) {
    const [row, below] = [rows[one], rows[one + 1]];
    if (row === undefined || below === undefined) continue;
    for (let other = fresh.length - 1; other >= 0; other -= 1) {
      const isCommon = old[one] === fresh[other];
      row[other] = isCommon ? (below[other + 1] ?? 0) + 1 : Math.max(below[other] ?? 0, row[other + 1] ?? 0);
    }
  }
  return rows;
}

/** Without what is far from any difference. */
function shortened(lines: readonly Line[]): { readonly sign: string; readonly text: string }[] {
  const near = new Set<number>();
  for (const [index, { sign }] of lines.entries()) {
    if (sign === " ") continue;
    for (let at = index - context; at <= index + context; at += 1) near.add(at);
  }
  return lines.flatMap((line, index) => {
    if (near.has(index)) return [line];
    return near.size > 0 && (index === 0 || near.has(index - 1)) ? [{ sign: "@@", text: " …" }] : [];
  });
}
