import type { Identity } from "@roster/control-socket";

/** What is printed once everything runs. */
export interface Greeting {
  readonly version: string;
  readonly address: string;
  readonly home: string;
  readonly database: string;
  readonly mode: string;
  /** Where the first operator comes in; null once somebody did. */
  readonly claimLink: string | null;
}

export function greeting({ version, address, home, database, mode, claimLink }: Greeting): readonly string[] {
  const lines = [`Roster ${version}`, `  address   ${address}`, `  home      ${home}`, `  database  ${database}`];
  if (mode === "local_trusted") lines.push(trustSentence);
  if (claimLink !== null) lines.push(`  claim     ${claimLink}`, claimSentence);
  return lines;
}

const claimSentence = "Nobody has an account yet: whoever opens this link first runs the deployment. It works once.";

const trustSentence =
  "Local trusted mode: every process of this machine is trusted as the board, the agents' own programs included.";

/** To whoever starts Roster on a home where it runs already. */
export function alreadyRuns(holder: Identity, wanted: { build: string; settings: string }): string {
  const asWanted = holder.build === wanted.build && holder.settings === wanted.settings;
  const where = `Roster already runs on this home at ${holder.url} (pid ${holder.pid})`;
  return asWanted ? `${where}.` : `${where}, from another build or with other settings; stop it first to change that.`;
}

/** A database of the operator's own, without what may not be shown. */
export function shownDatabase(databaseUrl: string): string {
  try {
    const url = new URL(databaseUrl);
    return `${url.protocol}//${url.host}${url.pathname}`;
  } catch {
    return "as DATABASE_URL says";
  }
}
