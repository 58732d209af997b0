import { alnum, base64, hex, number, upper } from "./drawn.ts";

// Every value is put together here, so that no file of the repository holds a text that a scanner takes for a secret.

/** How a secret is recognised: by its form anywhere, by the name of its field, or in `env` by looking random. */
export type Sign = "form" | "name" | "randomness";

/** A secret as the world writes it. All of them are invented. */
export interface Known {
  /** What it is. */
  readonly title: string;
  /** The variable in which it would be handed to a program. */
  readonly variable: string;
  readonly value: string;
  /** The part of the value that nobody may see; the whole, if not given. */
  readonly hidden?: string;
  readonly sign: Sign;
  /** Name of the published shape, where it has one. */
  readonly shape?: string;
}

type Own = readonly [title: string, variable: string, value: string, shape: string, hidden?: string | undefined];

const byForm = (own: readonly Own[]): Known[] =>
  own.map(([title, variable, value, shape, hidden]) => ({
    title,
    variable,
    value,
    sign: "form",
    shape,
    ...(hidden !== undefined && { hidden }),
  }));

const bodyLines = Array.from({ length: 6 }, (_, line) => base64(64, `key ${line}`));
/** A key in the notation of PEM; the marker is the first of what is hidden. */
function pem(kind: string, eol = "\n", headers: readonly string[] = []): string {
  return [`-----${"BEGIN"} ${kind}-----`, ...headers, ...bodyLines, `-----END ${kind}-----`, ""].join(eol);
}
const keyTitles = [
  "PRIVATE KEY",
  "RSA PRIVATE KEY",
  "EC PRIVATE KEY",
  "DSA PRIVATE KEY",
  "OPENSSH PRIVATE KEY",
  "ENCRYPTED PRIVATE KEY",
];

const jwt = ["eyJ", alnum(33, "head"), ".", "eyJ", alnum(120, "claims"), ".", alnum(43, "signature")].join("");
const azureKey = `${base64(86, "azure")}==`;
const googleAccount = JSON.stringify({
  type: "service_account",
  project_id: "acme-prod",
  private_key_id: hex(40, "key id"),
  private_key: pem("PRIVATE KEY"),
  client_email: "robot@acme-prod.iam.gserviceaccount.com",
  token_uri: "https://oauth2.googleapis.com/token",
});

const clouds: readonly Own[] = [
  ["AWS access key id", "AWS_ACCESS_KEY_ID", `AKIA${upper(16)}`, "aws-access-key-id"],
  ["AWS temporary access key id", "AWS_ACCESS_KEY_ID", `ASIA${upper(16)}`, "aws-access-key-id"],
  [
    "AWS credentials file",
    "AWS_CREDENTIALS",
    `[default]\naws_secret_access_key = ${base64(40, "aws")}\n`,
    "aws-secret-access-key",
    base64(40, "aws"),
  ],
  ["Google service account", "GOOGLE_CREDENTIALS", googleAccount, "private-key", bodyLines[2]],
  ["Google API key", "GOOGLE_MAPS", `AIza${alnum(35)}`, "google-api-key"],
  ["Google OAuth access token", "GCLOUD", `ya29.${alnum(120)}`, "google-oauth-token"],
  ["Google OAuth client secret", "GOOGLE_CLIENT", `GOCSPX-${alnum(28)}`, "google-oauth-token"],
  [
    "Azure storage connection string",
    "AZURE_STORAGE",
    `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${azureKey};EndpointSuffix=core.windows.net`,
    "azure-storage-key",
    azureKey,
  ],
  [
    "Azure service bus connection string",
    "AZURE_BUS",
    `Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=send;SharedAccessKey=${base64(43)}=`,
    "azure-storage-key",
    base64(43),
  ],
  [
    "Azure shared access signature",
    "AZURE_BLOB",
    `https://acme.blob.core.windows.net/box/a.zip?sv=2024-11-04&sp=r&sig=${alnum(43)}%3D`,
    "azure-signature",
    alnum(43),
  ],
  ["Azure client secret", "AZURE_CLIENT", `${alnum(3)}8Q~${alnum(34)}`, "azure-client-secret"],
  ["DigitalOcean token", "DO", `dop_v1_${hex(64)}`, "digitalocean-token"],
  ["Heroku key", "HEROKU", `HRKU-${alnum(60)}`, "heroku-key"],
  ["Vault token", "VAULT", `hvs.${alnum(90)}`, "vault-token"],
  ["Databricks token", "DATABRICKS", `dapi${hex(32)}`, "databricks-token"],
  ["Supabase token", "SUPABASE", `sbp_${hex(40)}`, "supabase-key"],
  ["PlanetScale password", "PLANETSCALE", `pscale_pw_${alnum(43)}`, "planetscale-token"],
];

const forges: readonly Own[] = [
  ["GitHub classic token", "GITHUB", `ghp_${alnum(36)}`, "github-token"],
  ["GitHub OAuth token", "GITHUB", `gho_${alnum(36)}`, "github-token"],
  ["GitHub app token", "GITHUB", `ghs_${alnum(36)}`, "github-token"],
  ["GitHub refresh token", "GITHUB", `ghr_${alnum(76)}`, "github-token"],
  ["GitHub fine-grained token", "GITHUB", `github_pat_${alnum(22)}_${alnum(59, "b")}`, "github-fine-grained-token"],
  ["GitLab token", "GITLAB", `glpat-${alnum(20)}`, "gitlab-token"],
  ["GitLab runner token", "GITLAB", `glrt-${alnum(20)}`, "gitlab-token"],
  ["npm token", "NPM", `npm_${alnum(36)}`, "npm-token"],
  ["npm configuration", "NPMRC", `//packages.example/:_authToken=npm_${alnum(36)}`, "npm-token", alnum(36)],
  ["PyPI token", "PYPI", `pypi-AgEIcHlwaS5vcmc${alnum(120)}`, "pypi-token"],
  ["RubyGems key", "RUBYGEMS", `rubygems_${hex(48)}`, "rubygems-key"],
  ["Docker token", "DOCKER", `dckr_pat_${alnum(27)}`, "docker-token"],
  ["Sentry token", "SENTRY", `sntrys_${alnum(150)}`, "sentry-token"],
  ["Grafana token", "GRAFANA", `glsa_${alnum(32)}_${hex(8)}`, "grafana-token"],
  ["New Relic key", "NEW_RELIC", `NRAK-${upper(27)}`, "new-relic-key"],
  ["Postman key", "POSTMAN", `PMAK-${hex(24)}-${hex(34, "b")}`, "postman-key"],
];

const models: readonly Own[] = [
  ["Anthropic key", "ANTHROPIC", `sk-ant-api03-${alnum(93)}-${alnum(6)}AA`, "anthropic-key"],
  ["OpenAI key of old", "OPENAI", `sk-${alnum(48)}`, "openai-key"],
  ["OpenAI project key", "OPENAI", `sk-proj-${alnum(74)}_${alnum(73, "b")}`, "openai-key"],
  ["OpenAI service account key", "OPENAI", `sk-svcacct-${alnum(60)}`, "openai-key"],
  ["OpenRouter key", "OPENROUTER", `sk-or-v1-${hex(64)}`, "openai-key"],
  ["Hugging Face token", "HF", `hf_${alnum(34)}`, "hugging-face-token"],
  ["Groq key", "GROQ", `gsk_${alnum(52)}`, "groq-key"],
  ["xAI key", "XAI", `xai-${alnum(80)}`, "xai-key"],
  ["Perplexity key", "PPLX", `pplx-${alnum(48)}`, "perplexity-key"],
  ["Replicate token", "REPLICATE", `r8_${alnum(37)}`, "replicate-token"],
];

const services: readonly Own[] = [
  ["Slack bot token", "SLACK", `xoxb-${number(12)}-${number(13)}-${alnum(24)}`, "slack-token"],
  ["Slack user token", "SLACK", `xoxp-${number(12)}-${number(12)}-${hex(32)}`, "slack-token"],
  ["Slack app token", "SLACK", `xapp-1-A${upper(10)}-${number(13)}-${hex(64)}`, "slack-token"],
  [
    "Slack webhook",
    "SLACK_HOOK",
    `https://hooks.slack.com/services/T${upper(8)}/B${upper(10)}/${alnum(24)}`,
    "slack-webhook",
    alnum(24),
  ],
  ["Discord bot token", "DISCORD", `MTE${alnum(23)}.${alnum(6)}.${alnum(38)}`, "discord-bot-token"],
  [
    "Discord webhook",
    "DISCORD_HOOK",
    `https://discord.com/api/webhooks/${number(18)}/${alnum(68)}`,
    "discord-webhook",
    alnum(68),
  ],
  ["Telegram bot token", "TELEGRAM", `${number(10)}:AA${alnum(33)}`, "telegram-bot-token", alnum(33)],
  ["Stripe live key", "STRIPE", `sk_live_${alnum(99)}`, "stripe-key"],
  ["Stripe restricted key", "STRIPE", `rk_live_${alnum(24)}`, "stripe-key"],
  ["Stripe webhook secret", "STRIPE_HOOK", `whsec_${alnum(32)}`, "webhook-secret"],
  ["Square token", "SQUARE", `sq0atp-${alnum(22)}`, "square-token"],
  ["Shopify token", "SHOPIFY", `shpat_${hex(32)}`, "shopify-token"],
  ["SendGrid key", "SENDGRID", `SG.${alnum(22)}.${alnum(43, "b")}`, "sendgrid-key"],
  ["Mailgun key", "MAILGUN", `key-${hex(32)}`, "mailgun-key"],
  ["Twilio key", "TWILIO", `SK${hex(32)}`, "twilio-key"],
  ["Notion token", "NOTION", `ntn_${number(11)}${alnum(35)}`, "notion-token"],
  ["Airtable token", "AIRTABLE", `pat${alnum(14)}.${hex(64)}`, "airtable-token"],
  ["Atlassian token", "JIRA", `ATATT3xFfGF0${alnum(170)}=${upper(8)}`, "atlassian-token"],
  ["Linear key", "LINEAR", `lin_api_${alnum(40)}`, "linear-key"],
  ["Figma token", "FIGMA", `figd_${alnum(40)}`, "figma-token"],
  ["age key", "AGE", `AGE-SECRET-KEY-1${upper(58)}`, "age-key"],
  ["key of an agent of this service", "AGENT", `svk_${alnum(8)}_${alnum(43)}`, "agent-key"],
  ["token of a runner of this service", "RUNNER", `svr_${alnum(8)}_${alnum(43)}`, "runner-token"],
];

const password = `${alnum(9, "pw")}!x`;
const basic = Buffer.from(`deploy:${password}`).toString("base64");
const urls = [
  "postgres",
  "postgresql",
  "mysql",
  "redis",
  "rediss",
  "amqp",
  "amqps",
  "mongodb",
  "mongodb+srv",
  "ftp",
  "https",
  "smtp",
];
const notations: readonly Own[] = [
  ["JSON web token", "SESSION", jwt, "json-web-token"],
  ...keyTitles.map((title): Own => [`${title} in PEM`, "DEPLOY", pem(title), "private-key", bodyLines[2]]),
  ["PEM with CRLF", "DEPLOY", pem("PRIVATE KEY", "\r\n"), "private-key", bodyLines[5]],
  ["PEM on one line", "DEPLOY", pem("RSA PRIVATE KEY", "\\n"), "private-key", bodyLines[1]],
  [
    "encrypted PEM of old",
    "DEPLOY",
    pem("RSA PRIVATE KEY", "\n", ["Proc-Type: 4,ENCRYPTED", `DEK-Info: AES-256-CBC,${hex(32).toUpperCase()}`, ""]),
    "private-key",
    bodyLines[3],
  ],
  ["PGP key", "SIGNING", pem("PGP PRIVATE KEY BLOCK", "\n", ["Version: GnuPG v2", ""]), "private-key", bodyLines[4]],
  ...urls.map(
    (scheme): Own => [
      `${scheme} with a password`,
      "UPSTREAM",
      `${scheme}://app:${password}@db.example:1234/shop?x=1`,
      "password-in-url",
      password,
    ],
  ),
  ["redis without a user", "UPSTREAM", `redis://:${password}@cache.example:6379/0`, "password-in-url", password],
  ["Bearer header", "HEADER", `Authorization: Bearer ${alnum(40)}`, "authorization-value", alnum(40)],
  ["Basic header", "HEADER", `authorization: Basic ${basic}`, "authorization-value", basic],
  [
    "header in a command",
    "COMMAND",
    `curl -H 'Authorization: bearer ${alnum(32)}' https://api.example`,
    "authorization-value",
    alnum(32),
  ],
];

const named = (title: string, variable: string, value: string): Known => ({ title, variable, value, sign: "name" });
const random = (title: string, variable: string, value: string): Known => ({
  title,
  variable,
  value,
  sign: "randomness",
});

/** Secrets of many kinds, invented, as the world writes them. */
export const knownSecrets: readonly Known[] = [
  ...byForm([...clouds, ...forges, ...models, ...services, ...notations]),
  named("password of a person", "DB_PASSWORD", "correct horse battery"),
  named("password with signs", "SMTP_PASS", "p@ss/w0rd?&%"),
  named("AWS secret access key", "AWS_SECRET_ACCESS_KEY", base64(40)),
  named("Heroku key of old", "HEROKU_API_KEY", [hex(8), hex(4), `4${hex(3)}`, `a${hex(3)}`, hex(12)].join("-")),
  named("Twilio auth token", "TWILIO_AUTH_TOKEN", hex(32)),
  named("Datadog key", "DD_API_KEY", hex(32)),
  named("session secret", "SESSION_SECRET", "keyboard cat on a roof"),
  named("passphrase", "GPG_PASSPHRASE", "an elephant in a fridge"),
  named("cookie", "UPSTREAM_COOKIE", "session=abcdefgh"),
  random("32 bytes in base64", "SEED", `${base64(43)}=`),
  random(
    "32 bytes in base64, without padding, for addresses",
    "SEED",
    base64(43, "url").replaceAll("+", "-").replaceAll("/", "_"),
  ),
  random("32 bytes in hex", "SEED", hex(64)),
  random("16 bytes in hex", "SEED", hex(32)),
  random("a long word of letters and digits", "SEED", alnum(40)),
  random("one behind a prefix", "SEED", `prod:${alnum(32)}`),
];
