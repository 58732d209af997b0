/** A form in which secrets are written, so particular that a text of this form is one. */
export type SecretShape = {
  /** Stable name, kebab-case; refusals and documentation use it. */
  readonly name: string;
  /** Global, linear in the text. What its group `keep` matched stays readable, the rest of the match is the secret. */
  readonly pattern: RegExp;
  /** A text of this shape that is obviously nobody's secret. */
  readonly example: string;
};

// Composed below and not written out, so that no scanner takes the examples in this file for leaked secrets.
const fake = (length: number): string => "EXAMPLE0".repeat(Math.ceil(length / 8)).slice(0, length);
const fakeHex = (length: number): string => "facade00".repeat(Math.ceil(length / 8)).slice(0, length);

// What may stand before a token: the start, a character that is not of a word, or the end of an escape (\n, %3D).
const BEFORE = "^|[^\\w-]|\\\\[bfnrt]|%[0-9A-Fa-f]{2}";

/**
 * A token that starts with `prefix` at the start of a word and goes on to the word's end. The prefix comes first and
 * what stands before it is looked at afterwards: so the engine can skip from prefix to prefix.
 */
function token(prefix: string, rest: string): RegExp {
  return new RegExp(`(?:${prefix})(?<=(?:${BEFORE})(?:${prefix}))(?:${rest})[\\w-]*`, "g");
}

// Each pattern fails soon or takes what it has read, or reads a stretch that no other start reads again; none can be
// made to read a text twice over. A new one needs the same property: the tests try each against texts made to break it.
const providers: readonly SecretShape[] = [
  { name: "anthropic-key", pattern: token("sk-ant-", "[\\w-]{20,}"), example: `sk-ant-${fake(32)}` },
  {
    name: "openai-key",
    pattern: token("sk-", "(?:proj|svcacct|admin|None|or-v1)-(?=[\\w-]*\\d)[\\w-]{20,}|[A-Za-z0-9]{32,}"),
    example: `sk-proj-${fake(48)}`,
  },
  { name: "aws-access-key-id", pattern: token("AKIA|ASIA", "[A-Z0-9]{16}"), example: `AKIA${fake(16)}` },
  {
    name: "aws-secret-access-key",
    pattern:
      /(?<keep>(?:secret_access_key|SECRET_ACCESS_KEY|[sS]ecretAccessKey)["']?\s{0,4}[=:]\s{0,4}["']?)[\w/+=-]{40,}/g,
    example: `aws_secret_access_key = ${fake(40)}`,
  },
  { name: "github-token", pattern: token("gh[pousr]_", "[A-Za-z0-9]{30,}"), example: `ghp_${fake(36)}` },
  { name: "github-fine-grained-token", pattern: token("github_pat_", "\\w{40,}"), example: `github_pat_${fake(80)}` },
  {
    name: "gitlab-token",
    pattern: token("gl(?:pat|ptt|dt|rt|cbt|soat)-", "[\\w-]{20,}"),
    example: `glpat-${fake(20)}`,
  },
  { name: "slack-token", pattern: token("xox[abeoprs]-|xapp-", "[\\w-]{10,}"), example: `xoxb-${fake(24)}` },
  {
    name: "slack-webhook",
    pattern: /(?<keep>hooks\.slack\.com\/(?:services|workflows)\/)[\w/-]{20,}/g,
    example: `https://hooks.slack.com/services/${fake(24)}`,
  },
  {
    name: "discord-webhook",
    pattern: /(?<keep>discord(?:app)?\.com\/api\/webhooks\/)\d{5,}\/[\w-]{20,}/g,
    example: `https://discord.com/api/webhooks/000000/${fake(32)}`,
  },
  { name: "stripe-key", pattern: token("[sr]k_(?:live|test)_", "[A-Za-z0-9]{16,}"), example: `sk_live_${fake(24)}` },
  { name: "webhook-secret", pattern: token("whsec_", "[A-Za-z0-9+/=]{24,}"), example: `whsec_${fake(32)}` },
  { name: "google-api-key", pattern: token("AIza", "[\\w-]{35}"), example: `AIza${fake(35)}` },
  { name: "google-oauth-token", pattern: token("ya29\\.|GOCSPX-", "[\\w-]{20,}"), example: `ya29.${fake(40)}` },
  { name: "npm-token", pattern: token("npm_", "[A-Za-z0-9]{36}"), example: `npm_${fake(36)}` },
  { name: "pypi-token", pattern: token("pypi-", "AgE[\\w-]{30,}"), example: `pypi-AgE${fake(40)}` },
  { name: "docker-token", pattern: token("dckr_[op]at_", "[\\w-]{20,}"), example: `dckr_pat_${fake(27)}` },
  { name: "hugging-face-token", pattern: token("hf_", "[A-Za-z0-9]{30,}"), example: `hf_${fake(34)}` },
  { name: "groq-key", pattern: token("gsk_", "[A-Za-z0-9]{40,}"), example: `gsk_${fake(52)}` },
  { name: "xai-key", pattern: token("xai-", "[A-Za-z0-9]{40,}"), example: `xai-${fake(80)}` },
  { name: "perplexity-key", pattern: token("pplx-", "[A-Za-z0-9]{32,}"), example: `pplx-${fake(48)}` },
  { name: "replicate-token", pattern: token("r8_", "[A-Za-z0-9]{30,}"), example: `r8_${fake(37)}` },
  { name: "linear-key", pattern: token("lin_(?:api|oauth)_", "[A-Za-z0-9]{32,}"), example: `lin_api_${fake(40)}` },
  { name: "sendgrid-key", pattern: token("SG\\.", "[\\w-]{22}\\.[\\w-]{43}"), example: `SG.${fake(22)}.${fake(43)}` },
  { name: "twilio-key", pattern: token("SK", "[0-9a-f]{32}"), example: `SK${fakeHex(32)}` },
  {
    name: "telegram-bot-token",
    pattern: new RegExp(`:AA(?<=(?:${BEFORE})\\d{8,10}:AA)[\\w-]{33,}`, "g"),
    example: `0000000000:AA${fake(33)}`,
  },
  { name: "digitalocean-token", pattern: token("do[opr]_v1_", "[0-9a-f]{40,}"), example: `dop_v1_${fakeHex(64)}` },
  { name: "vault-token", pattern: token("hv[sbr]\\.", "[\\w-]{20,}"), example: `hvs.${fake(32)}` },
  {
    name: "azure-storage-key",
    pattern: /(?<keep>(?:Account|SharedAccess)Key=)[A-Za-z0-9+/=]{40,}/g,
    example: `AccountKey=${fake(86)}==`,
  },
  {
    name: "azure-client-secret",
    pattern: new RegExp(`(?<=${BEFORE})[\\w~.-]{3}\\dQ~[\\w~.-]{31,}`, "g"),
    example: `abc8Q~${fake(34)}`,
  },
  {
    name: "azure-signature",
    pattern: /(?<keep>[?&]sig=)[\w%+/=-]{40,}/g,
    example: `https://store.example/box?sv=2024-01-01&sig=${fake(43)}%3D`,
  },
  {
    name: "discord-bot-token",
    pattern: new RegExp(`(?<=${BEFORE})[MNO](?=[\\w-]*\\d)[\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}`, "g"),
    example: `M${fake(23)}.${fake(6)}.${fake(38)}`,
  },
  { name: "heroku-key", pattern: token("HRKU-", "[\\w-]{30,}"), example: `HRKU-${fake(60)}` },
  { name: "mailgun-key", pattern: token("key-", "[0-9a-f]{32}"), example: `key-${fakeHex(32)}` },
  { name: "databricks-token", pattern: token("dapi", "[0-9a-f]{32}"), example: `dapi${fakeHex(32)}` },
  { name: "shopify-token", pattern: token("shp(?:at|ca|pa|ss)_", "[0-9a-fA-F]{32}"), example: `shpat_${fakeHex(32)}` },
  { name: "square-token", pattern: token("sq0[a-z]{3}-", "[\\w-]{22,}"), example: `sq0atp-${fake(22)}` },
  { name: "notion-token", pattern: token("ntn_|secret_", "[A-Za-z0-9]{40,}"), example: `ntn_${fake(46)}` },
  {
    name: "airtable-token",
    pattern: token("pat", "[A-Za-z0-9]{14}\\.[0-9a-f]{64}"),
    example: `pat${fake(14)}.${fakeHex(64)}`,
  },
  { name: "atlassian-token", pattern: token("AT[AC]TT3", "[\\w=-]{50,}"), example: `ATATT3${fake(180)}` },
  { name: "grafana-token", pattern: token("gl(?:sa|c)_", "[\\w=+/-]{30,}"), example: `glsa_${fake(32)}_${fakeHex(8)}` },
  { name: "sentry-token", pattern: token("sntry[su]_", "[\\w=+/-]{40,}"), example: `sntrys_${fake(80)}` },
  { name: "new-relic-key", pattern: token("NRAK-", "[A-Z0-9]{27}"), example: `NRAK-${fake(27)}` },
  {
    name: "postman-key",
    pattern: token("PMAK-", "[0-9a-f]{24}-[0-9a-f]{34}"),
    example: `PMAK-${fakeHex(24)}-${fakeHex(34)}`,
  },
  { name: "figma-token", pattern: token("fig[dor]_", "[\\w-]{40,}"), example: `figd_${fake(40)}` },
  { name: "supabase-key", pattern: token("sbp_|sb_secret_", "[\\w-]{30,}"), example: `sbp_${fakeHex(40)}` },
  {
    name: "planetscale-token",
    pattern: token("pscale_(?:tkn|pw|oauth)_", "[\\w.-]{32,}"),
    example: `pscale_tkn_${fake(43)}`,
  },
  { name: "rubygems-key", pattern: token("rubygems_", "[0-9a-f]{48}"), example: `rubygems_${fakeHex(48)}` },
  { name: "age-key", pattern: token("AGE-SECRET-KEY-1", "[A-Z0-9]{58}"), example: `AGE-SECRET-KEY-1${fake(58)}` },
  { name: "agent-key", pattern: token("svk_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"), example: `svk_EXAMPLE0_${fake(43)}` },
  { name: "runner-token", pattern: token("svr_", "\\w{20,}"), example: `svr_${fake(43)}` },
];

// What follows the marker must look like a key: a text that only explains what one looks like holds none.
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?=[\s\S]{0,120}?[A-Za-z0-9+/]{32})[\s\S]*?(?:-----END [A-Z0-9 ]{0,60}-----[\w-]*|$)/g;

// The user ends at the first colon, the password at the last @ before the host. A place for a password is none: the
// usual ways to write one are `${NAME}`, `$NAME`, `{{name}}` and stars. A port before the next entry of a list is none.
const URL_PASSWORD =
  /(?<keep>:\/\/[^\s/?#:"`<>\\]*:)(?!\$\{|\$\(|\$[A-Z_]{1,64}@|\{\{|\*{1,64}@|\[redacted\]@|\d{1,5}['",;|)\]])[^\s/?#"`<>\\]+(?=@)/g;

// "Basic requirements" is English: a credential has a digit, or a capital inside a word.
const SCHEME = "(?:Bearer|bearer|BEARER|Basic|basic|BASIC)";
const AUTHORIZATION = new RegExp(
  `(?<keep>${SCHEME}(?<=(?:${BEFORE})${SCHEME})[ \\t]+)(?=[\\w.~+/=-]*(?:\\d|[a-z][A-Z]))[\\w.~+/=-]{12,}`,
  "g",
);

const forms: readonly SecretShape[] = [
  {
    name: "json-web-token",
    pattern: token("eyJ", "[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]*"),
    example: `eyJ${fake(20)}.eyJ${fake(40)}.${fake(43)}`,
  },
  {
    name: "private-key",
    pattern: PRIVATE_KEY,
    example: `-----BEGIN PRIVATE KEY-----\n${fake(64)}\n-----END PRIVATE KEY-----`,
  },
  { name: "password-in-url", pattern: URL_PASSWORD, example: `postgres://user:${fake(8)}@db.example/app` },
  { name: "authorization-value", pattern: AUTHORIZATION, example: `Bearer ${fake(24)}` },
];

/** Every shape that is recognised, with an example of each. Published in the documentation as it stands here. */
export const secretShapes: readonly SecretShape[] = [...providers, ...forms];
