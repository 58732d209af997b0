// What the name of a field says about its value.

const SECRET_WORD = /(?:passwords?|passwd|passphrase|passcode|secrets?|token|credentials?|apikeys?)$/;
const SECRET_COMPOUND = new Set(["privatekey", "secretkey", "accesskey", "signingkey", "encryptionkey", "masterkey"]);
// A key of an object may be a megabyte long and is still looked at for each of its values.
const LONGEST_NAME = 200;

// Too short or too common inside other names: they count only where the name ends.
const SECRET_END = new Set(["pass", "pwd", "authorization", "cookie", "jwt", "bearer", "otp"]);

// A key is a secret when it opens something; a sort key or a cache key is a name.
const KEY_TO = new Set(
  "access account admin api app auth client deploy encryption host jwt license master private root secret service session shared signing ssh storage webhook write".split(
    " ",
  ),
);

// The end of a name decides what the field holds: PASSWORD_FILE is a path, secretId an id, tokenUrl a place.
const DESCRIPTION = new Set(
  "alg algorithm at audience budget cents cost count dir email enabled endpoint env expires expiration expiry field file folder format header hint host id ids issuer kind label length limit location login manager max method min mode ms name names param parameter path per policy prefix price provider rate ref required scope scopes sec seconds size source status store suffix timeout ttl type uri url usage user username var variable version window".split(
    " ",
  ),
);

// Models count tokens, and parsers have special ones.
const COUNTED = new Set(
  "bos cached completion context eos input mask max min num output pad prompt reasoning sep stop total unk".split(" "),
);

// A long random text under such a name says which one it is; it opens nothing.
const IDENTITY = new Set(
  "cert certificate checksum commit digest etag fingerprint hash id ids integrity md public ref rev revision sha sid version".split(
    " ",
  ),
);

/** The words of a field name in lower case: `OPENAI_API_KEY2`, `openaiApiKey` and `openai-api-key` say the same. */
function wordsOf(name: string): string[] {
  const end = name.slice(-LONGEST_NAME);
  const borders =
    /[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])/;
  const words = end.split(borders).filter((word) => /[A-Za-z]/.test(word));
  return words.map((word) => word.toLowerCase());
}

function isSecretWord(words: readonly string[], index: number): boolean {
  const word = words[index] ?? "";
  const before = words[index - 1] ?? "";
  if (word === "token") return !COUNTED.has(before);
  if (word === "key" || word === "keys") return KEY_TO.has(before);
  if (SECRET_END.has(word)) return index === words.length - 1;
  return SECRET_WORD.test(word) || SECRET_COMPOUND.has(word);
}

/** The field tells something about a secret or its owner (`PASSWORD_FILE`, `secretId`, `username`), not the secret. */
export function isDescriptionName(name: string): boolean {
  return DESCRIPTION.has(wordsOf(name).at(-1) ?? "");
}

/** What a field is meant to hold: a secret, something random to look at that is public, or anything else. */
export type FieldKind = "secret" | "identity" | "ordinary";

/** `DB_PASSWORD`, `x-api-key`, `clientSecret` hold secrets, not `maxTokens` or `tokenUrl`; `GIT_COMMIT` an identity. */
export function kindOfField(name: string): FieldKind {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  if (!DESCRIPTION.has(last) && words.some((_, index) => isSecretWord(words, index))) return "secret";
  const isIdentity = IDENTITY.has(last) || words.some((word) => word === "public" || word === "commit");
  return isIdentity ? "identity" : "ordinary";
}
