const leastSecretBytes = 8;
const leastLineBytes = 16;
/** How long the lines of base64 are where it is written in lines: by OpenSSL, and by the tool of this name. */
const base64Widths = [64, 76];

/**
 * Every text in which a secret may appear in output, as bytes, each once: raw, JSON-escaped, also twice, URL-encoded,
 * base64 at each of its three alignments in both alphabets, the lines of base64 in lines, and the long lines of a
 * multi-line value. Values under 8 bytes have none: they are refused as secrets, and would redact half of any output.
 * Pure.
 */
export function secretForms(values: readonly string[]): Buffer[] {
  const forms = new Set(values.flatMap(formsOf).map((form) => form.toString("latin1")));
  return [...forms].map((form) => Buffer.from(form, "latin1"));
}

function formsOf(secret: string): Buffer[] {
  // Alone, half of a surrogate pair is handed to a program as the replacement character.
  const value = secret.toWellFormed();
  // A trailing newline is lost on the way through `$(…)`.
  const trimmed = value.trim();
  return [
    ...(bytesOf(value) < leastSecretBytes ? [] : wholeForms(value)),
    ...(trimmed === value || bytesOf(trimmed) < leastSecretBytes ? [] : wholeForms(trimmed)),
    ...longLinesOf(value),
  ];
}

function wholeForms(value: string): Buffer[] {
  const json = JSON.stringify(value).slice(1, -1);
  // Python's way.
  const ascii = json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const texts = [
    value,
    json,
    ascii,
    // JSON in a text of JSON: how programs tell what their tools have answered.
    ...[json, ascii].map((text) => JSON.stringify(text).slice(1, -1)),
    encodeURIComponent(value),
    // RFC 3986 to the letter, and as forms do it.
    percentEncoded(value, /[A-Za-z0-9._~-]/),
    percentEncoded(value, /[A-Za-z0-9*._ -]/).replaceAll(" ", "+"),
  ];
  const bytes = Buffer.from(value);
  return [...[...texts, ...base64LinesOf(bytes)].map((text) => Buffer.from(text)), ...base64Forms(bytes)];
}

function percentEncoded(value: string, kept: RegExp): string {
  const characters = [...Buffer.from(value).toString("latin1")];
  const encode = (character: string): string =>
    kept.test(character) ? character : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  return characters.map(encode).join("");
}

/**
 * The characters that the value alone decides, for each number of bytes that may stand before it in its group of three.
 * The characters at the edges also depend on what surrounds the value.
 */
function base64Forms(value: Buffer): Buffer[] {
  const cores = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), value]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + value.length) * 8) / 6));
  });
  const urlCores = cores.map((core) => core.replaceAll("+", "-").replaceAll("/", "_"));
  return [...cores, ...urlCores].map((core) => Buffer.from(core));
}

/** The lines of the value alone, as far as it decides them; none where one line holds all of it. */
function base64LinesOf(value: Buffer): string[] {
  const text = value.toString("base64").slice(0, Math.floor((value.length * 8) / 6));
  return base64Widths.flatMap((width) => {
    const lines = Array.from({ length: Math.ceil(text.length / width) }, (_, n) =>
      text.slice(n * width, (n + 1) * width),
    );
    return lines.length === 1 ? [] : lines.filter((line) => line.length >= leastLineBytes);
  });
}

function longLinesOf(value: string): Buffer[] {
  const lines = value.split(/\r\n|\r|\n/);
  if (lines.length === 1) return [];
  return lines.filter((line) => bytesOf(line) >= leastLineBytes).map((line) => Buffer.from(line));
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
