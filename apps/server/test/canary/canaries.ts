// In every canary, so that one search finds all of them; varied enough to look random, and without a sign that any
// encoding for addresses or JSON would change.
const marker = "Kx7Qv2Rz9T";
const filler = "aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY0z";

/** How much of a secret a value is: by its form alone, by looking random, or only by the name of its field. */
export type Strength = "form" | "random" | "named";

/** A way to write a secret. */
export interface CanaryForm {
  readonly name: string;
  readonly strength: Strength;
  /** A secret of this form that carries the number, by which it is found again. */
  readonly write: (number: number) => string;
}

const written = (number: number): string => `${marker}${number.toString(36).padStart(4, "0")}`;
const token = (number: number, length: number): string => (written(number) + filler.repeat(3)).slice(0, length);
const published = (name: string, write: CanaryForm["write"]): CanaryForm => ({ name, strength: "form", write });

/** Secrets of many forms. */
export const canaryForms: readonly CanaryForm[] = [
  published("anthropic-key", (n) => `sk-ant-api03-${token(n, 60)}`),
  published("openai-key", (n) => `sk-proj-${token(n, 48)}`),
  published("aws-access-key-id", (n) => `AKIA${token(n, 16).toUpperCase()}`),
  published("github-token", (n) => `ghp_${token(n, 36)}`),
  published("gitlab-token", (n) => `glpat-${token(n, 20)}`),
  published("slack-token", (n) => `xoxb-${token(n, 40)}`),
  published("stripe-key", (n) => `sk_live_${token(n, 24)}`),
  published("google-api-key", (n) => `AIza${token(n, 35)}`),
  published("npm-token", (n) => `npm_${token(n, 36)}`),
  published("agent-key", (n) => `svk_EXAMPLE0_${token(n, 43)}`),
  published("json-web-token", (n) => `eyJ${filler}.eyJ${token(n, 40)}.${token(n, 43)}`),
  published("private-key", (n) => `-----BEGIN PRIVATE KEY-----\n${token(n, 64)}\n-----END PRIVATE KEY-----`),
  published("password-in-url", (n) => `postgres://shop:${written(n)}@db.example/shop`),
  published("authorization-value", (n) => `Bearer ${token(n, 32)}`),
  published("in a sentence", (n) => `Sign in with ghp_${token(n, 36)}, then carry on.`),
  { name: "random text", strength: "random", write: (n) => token(n, 40) },
  { name: "a word", strength: "named", write: (n) => `open-${written(n)}` },
];

/** A text that carries a number and is no secret: what shows that a search would have found one. */
export const harmless = (number: number): string => `Note ${written(number)}`;

/** One canary that was found. */
export interface Finding {
  /** Its number; null where its encoding hides it. */
  readonly number: number | null;
  readonly around: string;
}

const context = 60;

/** The canaries in a text: as they were written, in another case, as hex and as base64 of both alphabets. */
export function canariesIn(text: string): Finding[] {
  const plain = Array.from(text.matchAll(inClear), (match) => found(text, match, Number.parseInt(match[1] ?? "", 36)));
  return [...plain, ...Array.from(text.matchAll(encoded), (match) => found(text, match, null))];
}

const found = (text: string, { index }: RegExpExecArray, number: number | null): Finding => ({
  number,
  around: text.slice(Math.max(0, index - context), index + context),
});

const inClear = new RegExp(`${marker}([0-9a-z]{4})`, "gi");
const cases = [marker, marker.toUpperCase(), marker.toLowerCase()];
const encoded = new RegExp(cases.flatMap((form) => [...hexOf(form), ...base64Of(form)]).join("|"), "g");

function hexOf(text: string): string[] {
  const hex = Buffer.from(text).toString("hex");
  return [hex, hex.toUpperCase()];
}

/** What base64 of anything that contains the text contains: three alignments, without the characters at their edges. */
function base64Of(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
    return whole.slice(shift === 0 ? 0 : 4).replace(/[+/]/g, "[-_+/]");
  });
}
