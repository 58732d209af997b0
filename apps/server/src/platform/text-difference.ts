import type { TextDifference } from "@roster/contract";
import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk, structuredPatch } from "diff";

/** Texts by the path under which they stand. */
export type Texts = ReadonlyMap<string, string>;

const context = 3;
const nowhere = "/dev/null";
/**
 * What comparing may cost: the lines of both texts times the lines that differ, over all texts of an answer. Less than
 * half a second at worst, and enough for a thousand lines that become a thousand others.
 */
const mostWork = 5_000_000;

/**
 * How texts differ, as unified diffs in the order of their paths. A text that stands under another path and is otherwise
 * the same was renamed. A text that differs in more than can be compared in bounded time, which depends on the texts
 * alone, is replaced as a whole. Pure.
 */
export function textDifferences(before: Texts, after: Texts): TextDifference[] {
  const origins = renames(before, after);
  const gone = [...before.keys()].filter((path) => !after.has(path) && ![...origins.values()].includes(path));
  const paths = [...gone, ...[...after].flatMap(([path, text]) => (before.get(path) === text ? [] : [path]))].sort();
  let left = mostWork;
  return paths.map((path) => {
    const previousPath = origins.get(path) ?? null;
    const [old, fresh] = [before.get(previousPath ?? path), after.get(path)];
    const names = {
      from: old === undefined ? nowhere : (previousPath ?? path),
      to: fresh === undefined ? nowhere : path,
    };
    const { unified, isWhole, work } = compare(names, old ?? "", fresh ?? "", left);
    left -= work;
    return { path, previousPath, unified, isWhole };
  });
}

/** New paths whose text stood under a path that is gone, with that path; each path is used once. */
function renames(before: Texts, after: Texts): ReadonlyMap<string, string> {
  const gone = [...before].filter(([path]) => !after.has(path));
  const origins = new Map<string, string>();
  for (const [path, text] of after) {
    if (before.has(path)) continue;
    const index = gone.findIndex(([, other]) => other === text);
    const [origin] = index < 0 ? [] : gone.splice(index, 1);
    if (origin !== undefined) origins.set(path, origin[0]);
  }
  return origins;
}

interface Names {
  readonly from: string;
  readonly to: string;
}

interface Comparison {
  readonly unified: string;
  readonly isWhole: boolean;
  readonly work: number;
}

function compare({ from, to }: Names, before: string, after: string, mostWorkHere: number): Comparison {
  const written = (hunks: StructuredPatchHunk[]): string => {
    const headers = { oldHeader: undefined, newHeader: undefined };
    return formatPatch({ oldFileName: from, newFileName: to, ...headers, hunks }, FILE_HEADERS_ONLY);
  };
  const whole = written([wholeHunk(before, after)]);
  // Of a text that came or went there is nothing to compare.
  if ((before === "") !== (after === "")) return { unified: whole, isWhole: false, work: 0 };
  const lines = linesOf(before).length + linesOf(after).length;
  const maxEditLength = Math.min(lines, Math.floor(mostWorkHere / Math.max(lines, 1)));
  const patch = structuredPatch(from, to, before, after, undefined, undefined, { context, maxEditLength });
  if (patch === undefined) return { unified: whole, isWhole: true, work: maxEditLength * lines };
  const changed = patch.hunks.flatMap((hunk) => hunk.lines).filter((line) => /^[+-]/.test(line)).length;
  return { unified: written(patch.hunks), isWhole: false, work: changed * lines };
}

/** Every line goes, and every line comes. */
function wholeHunk(before: string, after: string): StructuredPatchHunk {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const lines = [...signed("-", before, old), ...signed("+", after, fresh)];
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: fresh.length, lines };
}

const signed = (sign: string, text: string, lines: readonly string[]): string[] => [
  ...lines.map((line) => `${sign}${line}`),
  ...(text === "" || text.endsWith("\n") ? [] : ["\\ No newline at end of file"]),
];

/** The lines of a text without their ends; what follows the last end is one if it is not empty. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
