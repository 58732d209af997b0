import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PatternAutomaton } from "./pattern-automaton.ts";
import { type ScrubbedPiece, Scrubber } from "./scrubber.ts";
import { secretForms } from "./secret-forms.ts";

interface Scrubbed {
  readonly text: string;
  /** For each byte of the text the offset it has in the source; for a redaction that of its first byte. */
  readonly offsets: readonly number[];
}

function joined(pieces: readonly ScrubbedPiece[]): Scrubbed {
  const text = pieces.map((piece) => piece.bytes.toString("latin1")).join("");
  const offsets = pieces.flatMap(({ offset, bytes, isRedaction }) =>
    Array.from(bytes, (_, index) => (isRedaction ? offset : offset + index)),
  );
  return { text, offsets };
}

/** Looks for every pattern at every place. */
function naive(source: string, patterns: readonly string[]): Scrubbed {
  const isSecret = Array.from(source, () => false);
  for (const pattern of patterns) {
    for (let at = source.indexOf(pattern); at >= 0; at = source.indexOf(pattern, at + 1)) {
      isSecret.fill(true, at, at + pattern.length);
    }
  }
  const pieces = Array.from(source).flatMap((character, offset): ScrubbedPiece[] => {
    if (!isSecret[offset]) return [{ offset, bytes: Buffer.from(character, "latin1"), isRedaction: false }];
    return isSecret[offset - 1] ? [] : [{ offset, bytes: Buffer.from("[redacted]"), isRedaction: true }];
  });
  return joined(pieces);
}

function automatonOf(patterns: readonly string[]): PatternAutomaton {
  return new PatternAutomaton(patterns.map((pattern) => Buffer.from(pattern, "latin1")));
}

/** How many of the last bytes begin a pattern and are not all of it. */
function longestPrefix(read: string, patterns: readonly string[]): number {
  const lengths = Array.from(read, (_, index) => read.length - index);
  const begins = (length: number): boolean =>
    patterns.some((pattern) => pattern.length > length && pattern.startsWith(read.slice(-length)));
  return lengths.find(begins) ?? 0;
}

const letters = fc.constantFrom("a", "b", "c");
const patternsArbitrary = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 6 }), { maxLength: 5 });
const chunksArbitrary = fc.array(fc.string({ unit: letters, maxLength: 12 }), { maxLength: 12 });

describe("scrubbing", () => {
  it("is what a naive search would do, however the output is cut, and gives each byte its offset", () => {
    const property = fc.property(patternsArbitrary, chunksArbitrary, (patterns, chunks) => {
      const scrubber = new Scrubber(automatonOf(patterns));
      const pieces = chunks.flatMap((chunk) => scrubber.push(Buffer.from(chunk, "latin1")));
      expect(joined([...pieces, ...scrubber.end()])).toEqual(naive(chunks.join(""), patterns));
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it("holds back exactly the bytes that may become a secret", () => {
    const property = fc.property(patternsArbitrary, chunksArbitrary, (patterns, chunks) => {
      const scrubber = new Scrubber(automatonOf(patterns));
      const pieces: ScrubbedPiece[] = [];
      let read = "";
      for (const chunk of chunks) {
        pieces.push(...scrubber.push(Buffer.from(chunk, "latin1")));
        read += chunk;
        const certain = read.length - longestPrefix(read, patterns);
        const whole = naive(read, patterns);
        // All of the certain bytes, and none that comes after.
        const expected = whole.text.slice(0, whole.offsets.filter((offset) => offset < certain).length);
        expect(joined(pieces).text).toBe(expected);
      }
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it("removes a secret byte by byte as in one piece", () => {
    const automaton = new PatternAutomaton(secretForms(["correct horse"]));
    const scrubber = new Scrubber(automaton);
    const source = Buffer.from("say correct hors, correct horse!");
    const pieces = [...source].flatMap((byte) => scrubber.push(Buffer.from([byte])));
    expect(joined([...pieces, ...scrubber.end()]).text).toBe("say correct hors, [redacted]!");
  });

  it("takes time in proportion to the output, also where it almost matches all along", () => {
    const secret = `${"a".repeat(20_000)}b`;
    const scrubber = new Scrubber(automatonOf([secret, "a".repeat(3000)]));
    const since = performance.now();
    for (let chunk = 0; chunk < 64; chunk += 1) scrubber.push(Buffer.alloc(64 * 1024, "a"));
    scrubber.end();
    // Some 4 MB; quadratic would be hours.
    expect(performance.now() - since).toBeLessThan(10_000);
  });
});

describe("a secret", () => {
  const secret = 'p/ä?+"s\\word~1 x';
  const scrubbed = (values: readonly string[], text: string): string => {
    const scrubber = new Scrubber(new PatternAutomaton(secretForms(values)));
    return joined([...scrubber.push(Buffer.from(text)), ...scrubber.end()]).text;
  };
  const base64 = (before: string, after: string): string => Buffer.from(before + secret + after).toString("base64");
  const base64url = (before: string, after: string): string =>
    Buffer.from(before + secret + after).toString("base64url");

  it.each([
    ["as it is", secret],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in JSON without other than ASCII", 'p/\\u00e4?+\\"s\\\\word~1 x'],
    ["in JSON that is a text of JSON", JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ["in an address", encodeURIComponent(secret)],
    ["in a form", new URLSearchParams({ k: secret }).toString().slice(2)],
  ])("is removed %s", (_name, text) => {
    expect(scrubbed([secret], `<${text}>`)).toBe("<[redacted]>");
  });

  it.each(["", "a", "ab", "abc", "user:"])(
    "is removed from base64 behind %j, but for what its neighbours decide",
    (before) => {
      for (const encoded of [base64(before, ""), base64(before, "tail"), base64url(before, "tail")]) {
        const left = scrubbed([secret], encoded);
        expect(left).toContain("[redacted]");
        expect(left.length).toBeLessThan("[redacted]".length + 18);
      }
    },
  );

  it("of several lines is removed as a whole and by its long lines", () => {
    const key = `-----BEGIN KEY-----\n${"Zm9vYmFy".repeat(4)}\nshort\n-----END KEY-----\n`;
    expect(scrubbed([key], `x${key}x`)).toBe("x[redacted]x");
    expect(scrubbed([key], `x${key.trim()}x`)).toBe("x[redacted]x");
    expect(scrubbed([key], `1 ${"Zm9vYmFy".repeat(4)}\n2 short\n`)).toBe("1 [redacted]\n2 short\n");
  });

  it.each([64, 76])("is removed from base64 in lines of %i characters, but for a short last one", (width) => {
    const long = `${"k3y of many bytes/".repeat(12)}end`;
    const wrapped = (text: string): string =>
      Buffer.from(text)
        .toString("base64")
        .replace(new RegExp(`.{${width}}`, "g"), "$&\n");
    expect(scrubbed([long], wrapped(long))).toMatch(/^(?:\[redacted\]\n)+(?:\[redacted\].{0,4}|.{0,19})$/);
    expect(scrubbed([`${long}\n`], wrapped(`${long}\n`))).toMatch(
      /^(?:\[redacted\]\n)+(?:\[redacted\].{0,4}|.{0,19})$/,
    );
  });

  it("that is too short to be one removes nothing", () => {
    expect(secretForms(["1234567", "", "a\nb\nc"])).toEqual([]);
    expect(scrubbed(["1234567"], "1234567")).toBe("1234567");
  });
});
