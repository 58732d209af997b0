// Whether a text contains something that only a machine would write. Counting how evenly characters are distributed
// does not separate a key from `anthropic.claude-3-5-sonnet-20241022-v2:0`; counting how often a word changes between
// letters and digits, or back to capitals, does: random text changes at nearly every second character, names hardly.

const LONG_WORDS = /[A-Za-z0-9]{13,}/g;
const MIN_CUT = 8;
const MIN_RANDOM = 20;
const MIN_CHANGES = 0.22;
const MIN_DISTINCT = 8;
const MIN_HEX = 32;
// As many characters as tell whether a text is varied; a value may have a million.
const MANY = 1_000;

// Random to look at and public by what they are: UUIDs, commits, digests, pictures, public keys and certificates.
const PUBLIC = new RegExp(
  [
    "\\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\\b",
    "\\b[0-9a-f]{40}\\b",
    "-\\d{1,6}-g[0-9a-f]{7,40}\\b",
    "\\b(?:sha\\d{1,3}|md5)[:-][A-Za-z0-9+/=]+",
    "\\bdata:(?:image|font)/[\\w.+-]+;base64,[A-Za-z0-9+/=]+",
    "\\bssh-(?:rsa|ed25519|dss)\\s[A-Za-z0-9+/=]+",
    "-----BEGIN (?:CERTIFICATE|(?:[A-Z0-9]{1,16} )?PUBLIC KEY)-----[^-]*",
  ].join("|"),
  "g",
);

// Not at - _ + / . ~, which are characters of base64 and of paths alike.
const BETWEEN_PARTS = /[^A-Za-z0-9_+/.~-]+/;

// An absolute path starts with a folder whose name is a word, as all of a system's own do; random text hardly does. The
// rest of a URL starts with its host.
const PATH = /^(?:\/[A-Za-z]{3,}|~|\.{1,2})\/|^\/\/[\w.-]|^[A-Za-z]:\\/;
const PLAIN_PATH = /^(?:\/[A-Za-z]{3,}|~|\.{1,2})(?:\/[\w.-]+)+\/?$|^[A-Za-z]:\\[\w\\. -]*$/;

function changesIn(word: string): number {
  // A capital that starts a word is how people write; a capital or a digit after a small letter is a change.
  return word.match(/(?<=[a-z])[A-Z]|(?<=[A-Za-z])[0-9]|(?<=[0-9])[A-Za-z]/g)?.length ?? 0;
}

function isVaried(text: string): boolean {
  return new Set(text.slice(0, MANY)).size >= MIN_DISTINCT;
}

function isRandomWord(word: string): boolean {
  return isVaried(word) && changesIn(word) >= word.length * MIN_CHANGES;
}

function isHexKey(word: string): boolean {
  return word.length >= MIN_HEX && /^(?=.*\d)(?=.*[a-fA-F])(?:[0-9a-f]+|[0-9A-F]+)$/.test(word) && isVaried(word);
}

/** Base64 whose own separators have cut it into short words; only it has capitals inside words of any length. */
function isCutBase64(part: string): boolean {
  if (!/[a-z][A-Z]/.test(part)) return false;
  const words = part.match(/[A-Za-z0-9]+/g) ?? [];
  const length = words.reduce((sum, word) => sum + word.length, 0);
  return length >= Math.max(MIN_RANDOM, words.length * MIN_CUT) && changesIn(part) >= length * MIN_CHANGES;
}

function isRandom(part: string): boolean {
  const words = part.match(LONG_WORDS) ?? [];
  return words.some((word) => isRandomWord(word) || isHexKey(word)) || isCutBase64(part);
}

/** A place in a file system, in words: nothing in it could be a password that happens to start with a slash. */
export function isPlainPath(text: string): boolean {
  return PLAIN_PATH.test(text) && !isRandom(text);
}

/**
 * The text contains a stretch of at least twenty characters that looks random and is not of a public kind. Paths, URLs,
 * model names, versions, UUIDs, commits, sentences, numbers and lists of these do not. A random word of small letters
 * alone is not recognised.
 */
export function looksRandom(text: string): boolean {
  if (text.length < MIN_RANDOM) return false;
  const parts = text.replace(PUBLIC, " ").split(BETWEEN_PARTS);
  return parts.some((part) => part.length >= MIN_RANDOM && !PATH.test(part) && isRandom(part));
}
